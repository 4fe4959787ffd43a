/** JSON as pages write it -> the value that was meant, or undefined. Mending is one walk over the characters. */
import { decodeHTML } from 'entities'

export function mendJson(script: string): unknown {
  const text = unwrapped(script)
  return parsed(text) ?? parsed(mended(text)) ?? fieldsIn(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without the comments that hid scripts from browsers of the last century; not escaped as if it were an attribute. */
function unwrapped(script: string): string {
  let text = script.includes('&quot;') && !/[{[,]\s{0,20}"/.test(script) ? decodeHTML(script).trim() : script.trim()
  for (let i = 0; i < 3; i++) {
    for (const [begin, end] of WRAPPINGS) {
      if (begin !== '' && text.startsWith(begin)) text = text.slice(begin.length).trimStart()
      if (text.endsWith(end)) text = text.slice(0, -end.length).trimEnd()
    }
  }
  return text
}

const WRAPPINGS = [
  ['<!--', '-->'],
  ['//', '//'],
  ['/*', '*/'],
  ['<![CDATA[', ']]>'],
  ['*/', '/*'],
  ['', ';'],
] as const

/**
 * Control characters in strings become spaces; quotes in the middle of a string are escaped (one that ends a string has a
 * comma, colon or bracket behind it); commas before a bracket go; brackets that were never closed are.
 */
function mended(text: string): string {
  const out: string[] = []
  const open: string[] = []
  let inString = false
  let comma = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (inString) {
      if (char === '\\') out.push(ESCAPABLE.has(text[i + 1]!) ? char + text[++i]! : '\\\\')
      else if (char === '"') {
        inString = !endsString(text, i)
        out.push(inString ? '\\"' : char)
      } else out.push(char < ' ' ? ' ' : char)
      continue
    }
    if (char <= ' ') continue
    const closes = char === '}' || char === ']'
    if (comma && !closes) out.push(',')
    comma = char === ','
    if (comma) continue
    if (char === '"') inString = true
    else if (char === '{') open.push('}')
    else if (char === '[') open.push(']')
    else if (closes) open.pop()
    out.push(char)
    if (closes && open.length === 0) break
  }
  if (inString) out.push('"')
  return out.join('') + open.reverse().join('')
}

const ESCAPABLE: ReadonlySet<string> = new Set('"\\/bfnrtu')

function endsString(text: string, quote: number): boolean {
  const end = Math.min(text.length, quote + 100)
  let i = quote + 1
  while (i < end && text[i]! <= ' ') i++
  return i >= end || text[i] === ',' || text[i] === ':' || text[i] === '}' || text[i] === ']'
}

/** The last resort: the facts we know the names of, wherever they stand. */
function fieldsIn(text: string): unknown {
  const found: Record<string, string> = {}
  FIELD.lastIndex = 0
  for (let match = FIELD.exec(text); match; match = FIELD.exec(text)) {
    const start = FIELD.lastIndex
    let end = start
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    found[match[1]!] ??= text.slice(start, end).replace(/\\(?:u([0-9a-f]{4})|(.))/gi, unescaped)
    FIELD.lastIndex = end
  }
  return Object.keys(found).length > 0 ? found : undefined
}

const FIELD =
  /"(@type|headline|datePublished|dateModified|articleBody|articleSection|inLanguage|url)"\s{0,20}:\s{0,20}"/g

function unescaped(_all: string, hex: string | undefined, char: string): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  return char === 'n' || char === 'r' ? '\n' : char
}

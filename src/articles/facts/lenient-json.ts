/** Parses the JSON in a script leniently; undefined if impossible. */
import { decodeHTML } from 'entities'
import { repairJson } from '../../html/index.ts'

export function parseScriptJson(script: string): unknown {
  const text = unwrapped(script)
  return parsed(text) ?? parsed(repairJson(text)) ?? fieldsIn(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Removes comments that hid scripts from very old browsers, and superfluous escaping. */
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

/** Last resort: extracts the fields with known names, wherever they are. */
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

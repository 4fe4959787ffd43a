/**
 * JSON as the web writes it -> JSON. Control characters in strings become spaces; quotes in the middle of a string are
 * escaped (one that ends a string has a comma, colon or bracket behind it); commas before a bracket go; brackets that were
 * never closed are; what follows the last of them is left out. One walk, and depth costs nothing.
 */

/**
 * `wholeDepth`: where a document broke off, what is nested deeper than so many brackets and is not whole goes; without it,
 * half a value is better than none.
 */
export function mendJson(text: string, wholeDepth = -1): string {
  const parts: string[] = []
  const open: string[] = []
  let copied = 0
  let inString = false
  let comma = false
  /** How much of `parts` to keep where the text breaks off, and how many brackets are open there. */
  let whole = { parts: 0, depth: 0 }

  const copyTo = (end: number) => {
    if (end > copied) parts.push(text.slice(copied, end))
    copied = end
  }
  const replace = (at: number, instead: string) => {
    copyTo(at)
    parts.push(instead)
    copied = at + 1
  }

  for (let at = 0; at < text.length; at++) {
    if (inString) at = endOfPlain(text, at)
    if (at === text.length) break
    const char = text[at]!
    if (inString) {
      if (char === '\\') {
        if (ESCAPABLE.has(text[at + 1]!)) at++
        else replace(at, '\\\\')
      } else if (char === '"') {
        if (endsString(text, at)) inString = false
        else replace(at, '\\"')
      } else if (char < ' ') replace(at, ' ')
      continue
    }
    if (char <= ' ') {
      if (char !== ' ') replace(at, ' ')
      continue
    }
    const closes = char === '}' || char === ']'
    if (comma && !closes) {
      copyTo(at)
      parts.push(',')
    }
    comma = char === ','
    if (comma) replace(at, '')
    else if (char === '"') inString = true
    else if (char === '{') open.push('}')
    else if (char === '[') open.push(']')
    else if (closes) open.pop()
    if (closes ? open.length <= wholeDepth : open.length === wholeDepth && (char === '{' || char === '[')) {
      copyTo(at + 1)
      whole = { parts: parts.length, depth: open.length }
    }
    if (closes && open.length === 0) {
      copyTo(at + 1)
      return parts.join('')
    }
  }
  if (wholeDepth >= 0) return parts.slice(0, whole.parts).join('') + closing(open.slice(0, whole.depth))
  copyTo(text.length)
  return `${parts.join('')}${inString ? '"' : ''}${closing(open)}`
}

function closing(open: readonly string[]): string {
  return open.toReversed().join('')
}

/** Up to the next character of a string that may have to be mended, or ends it. */
function endOfPlain(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || code === BACKSLASH || code < SPACE) break
  }
  return at
}

const SPACE = 32
const QUOTE = 34
const BACKSLASH = 92
const ESCAPABLE: ReadonlySet<string> = new Set('"\\/bfnrtu')

function endsString(text: string, quote: number): boolean {
  const end = Math.min(text.length, quote + 100)
  let at = quote + 1
  while (at < end && text[at]! <= ' ') at++
  return at >= end || text[at] === ',' || text[at] === ':' || text[at] === '}' || text[at] === ']'
}

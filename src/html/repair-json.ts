/**
 * Repairs almost valid JSON. Control characters in strings become spaces; quotes inside a string are escaped (a closing quote is
 * followed by a comma, colon or bracket); trailing commas are removed; missing brackets are added; text after the last one is dropped.
 * One pass, independent of depth.
 */

/**
 * `wholeDepth`: in a truncated document, drops an incomplete value nested deeper than this many brackets; by default, incomplete values
 * are kept.
 */
export function repairJson(text: string, wholeDepth = -1): string {
  const parts: string[] = []
  const open: string[] = []
  let copied = 0
  let inString = false
  let comma = false
  /** How much of `parts` to keep if the text is truncated, and how many brackets are open there. */
  let whole = { parts: 0, depth: 0 }

  const copyTo = (end: number) => {
    if (end > copied) parts.push(text.slice(copied, end))
    copied = end
  }
  const replace = (at: number, replacement: string) => {
    copyTo(at)
    parts.push(replacement)
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

/** Skips to the next character of a string that may need repair, or ends it. */
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

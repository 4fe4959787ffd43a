/**
 * A text that every match of a regular expression contains, so that most texts need not be searched with the expression. Only finds texts
 * outside of groups and classes; what it does not understand is not required.
 */

/** Shorter ones are in most texts. */
const MIN_LENGTH = 3
/** Match one character of a kind, or a place. */
const CLASSES = 'bBdDwWsSAzntrfva'

/** Folded with `foldCase`; undefined if none is known. */
export function requiredText(pattern: string): string | undefined {
  const runs: string[] = []
  let run = ''
  const endRun = (kept = run) => {
    runs.push(kept)
    run = ''
  }
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!
    const escaped = pattern[i + 1] ?? ''
    if (character === '|') return undefined
    if (character === '\\' && /[a-z0-9]/i.test(escaped)) {
      if (!CLASSES.includes(escaped)) return undefined
      endRun()
      i++
    } else if (character === '\\') {
      run += escaped
      i++
    } else if (character === '(' || character === '[') {
      const end = character === '(' ? endOfGroup(pattern, i) : endOfClass(pattern, i)
      if (end === undefined) return undefined
      endRun()
      i = end
    } else if ('*?{'.includes(character)) {
      const end = character === '{' ? pattern.indexOf('}', i) : i
      if (end < 0) return undefined
      endRun(run.slice(0, -1))
      i = end
    } else if ('+.^$'.includes(character) || character > '~') endRun()
    else run += character
  }
  endRun()
  const longest = runs.reduce((best, one) => (one.length > best.length ? one : best))
  return longest.length >= MIN_LENGTH ? foldCase(longest) : undefined
}

/** Characters that an expression without regard to case takes for the same are the same afterwards. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ſ', 's')
}

function endOfGroup(pattern: string, start: number): number | undefined {
  let depth = 0
  for (let i = start; i < pattern.length; i++) {
    const character = pattern[i]
    if (character === '\\') {
      if (pattern[i + 1] === 'Q') return undefined
      i++
    } else if (character === '[') {
      const end = endOfClass(pattern, i)
      if (end === undefined) return undefined
      i = end
    } else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return i
  }
  return undefined
}

/** A bracket that comes first in a class belongs to it. */
function endOfClass(pattern: string, start: number): number | undefined {
  const first = start + (pattern[start + 1] === '^' ? 2 : 1)
  for (let i = first; i < pattern.length; i++) {
    if (pattern[i] === '\\') {
      if (pattern[i + 1] === 'Q') return undefined
      i++
    } else if (pattern[i] === '[' && pattern[i + 1] === ':') {
      const end = pattern.indexOf(':]', i)
      if (end >= 0) i = end + 1
    } else if (pattern[i] === ']' && i > first) return i
  }
  return undefined
}

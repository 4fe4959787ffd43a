/**
 * Regular expressions of rules, in the syntax of RE2: no backreferences and no lookaround, so the time is linear in the length of the text.
 * The lengths of pattern, program and text are limited, which bounds the product.
 */
import { RE2JS } from 're2js'
import { requiredText } from './required-text.ts'

export const MAX_PATTERN_LENGTH = 300
/** Instructions that a pattern compiles to: repetitions such as {100} multiply it. */
const MAX_PROGRAM = 2000
/** Characters of a text that are searched. */
export const MAX_PATTERN_TEXT = 20_000

/** `folded`: the text after `foldCase`. */
export type PatternTest = (text: string, folded: string) => boolean

export function compilePattern(pattern: string, ignoresCase: boolean): PatternTest | { fault: string } {
  if (pattern.length > MAX_PATTERN_LENGTH)
    return { fault: `a regular expression is limited to ${MAX_PATTERN_LENGTH} characters` }
  try {
    const compiled = RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
    if (compiled.programSize() > MAX_PROGRAM) return { fault: `/${pattern}/ repeats too much` }
    const required = requiredText(pattern)
    return (text, folded) =>
      (required === undefined || folded.includes(required)) &&
      compiled.test(text.length > MAX_PATTERN_TEXT ? text.slice(0, MAX_PATTERN_TEXT) : text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { fault: `/${pattern}/ is not a regular expression that rules support: ${reason}` }
  }
}

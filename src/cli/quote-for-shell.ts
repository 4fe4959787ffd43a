/** Quotes an argument of a command that a user may paste into a shell, so that nothing in it is executed. */
import { printable } from '../model/index.ts'

const NEEDS_NO_QUOTES = /^[\w@%+=:,./][\w@%+=:,./-]*$/

export function quoteForShell(text: string): string {
  const word = printable(text)
  return NEEDS_NO_QUOTES.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

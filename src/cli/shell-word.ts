/** One word of a command that a person may paste into a shell, so that the shell sees it as it is: nothing in it runs. */
import { printable } from '../model/index.ts'

const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/

export function shellWord(text: string): string {
  const word = printable(text)
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

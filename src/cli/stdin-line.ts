/** A secret from standard input: its first line. Secrets never stand on a command line. */
import { InputError } from '../app/index.ts'
import type { Io } from './io.ts'

const LONGEST = 10_000

export async function secretLine(io: Io, what: string): Promise<string> {
  let text = ''
  for await (const chunk of io.stdin()) {
    text += Buffer.from(chunk).toString()
    if (text.length > LONGEST) throw new InputError(`the ${what} is too long`, 'end it with a new line')
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

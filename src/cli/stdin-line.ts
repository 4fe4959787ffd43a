/** Reads a secret from the first line of standard input. Secrets are not accepted on the command line, which other users can see. */
import { InputError } from '../app/index.ts'
import type { Io } from './io.ts'

const MAX_CHARACTERS = 10_000

export async function readSecretLine(io: Io, what: string): Promise<string> {
  let text = ''
  for await (const chunk of io.stdin()) {
    text += Buffer.from(chunk).toString()
    if (text.length > MAX_CHARACTERS) throw new InputError(`the ${what} is too long`, 'end it with a new line')
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

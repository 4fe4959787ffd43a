/** Prompts a user at the terminal. For hidden input readline writes to a stream that discards everything, so nothing is echoed. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export async function prompt(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  question: string,
  isHidden: boolean,
): Promise<string | undefined> {
  if (!input.isTTY) return undefined
  output.write(question)
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: isHidden ? discard : output, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    if (isHidden) output.write('\n')
  }
}

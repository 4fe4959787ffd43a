/** Asks a person at the terminal. What is typed hidden is shown nowhere; readline echoes only what its output is given. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export async function askAt(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  question: string,
  isHidden: boolean,
): Promise<string | undefined> {
  if (!input.isTTY) return undefined
  output.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: isHidden ? nowhere : output, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    if (isHidden) output.write('\n')
  }
}

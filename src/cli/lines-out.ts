/** Many lines, one after the other, to standard output or to a file; whoever makes them waits for whoever takes them. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { InputError } from '../app/index.ts'
import type { Io } from './io.ts'

/** Answers how many there were. */
export async function writeLines(io: Io, lines: AsyncIterable<string>, file: string | undefined): Promise<number> {
  if (file !== undefined) return toFile(file, lines)
  let written = 0
  for await (const line of lines) {
    await io.outWhenReady(line)
    written++
  }
  return written
}

/** Under another name until it is whole, so that a file which was there is replaced or left, never cut. */
async function toFile(file: string, lines: AsyncIterable<string>): Promise<number> {
  const part = `${file}.part`
  const stream = createWriteStream(part)
  let written = 0
  try {
    for await (const line of lines) {
      if (!stream.write(`${line}\n`))
        await new Promise((resolve, reject) => stream.once('drain', () => resolve(undefined)).once('error', reject))
      written++
    }
    await new Promise<void>((resolve, reject) => stream.once('error', reject).end(resolve))
    await rename(part, file)
    return written
  } catch (cause) {
    stream.destroy()
    await rm(part, { force: true }).catch(() => {})
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InputError(`${file} could not be written: ${reason}`, 'is the folder there, writable, and not full?')
  }
}

/** Files that we write: under another name until they are whole, so that one which was there is replaced or left, never cut. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { InputError } from '../app/index.ts'

/** Packed if the name ends in .gz. Returns how many lines there were. */
export async function writeLines(file: string, lines: AsyncIterable<string> | Iterable<string>): Promise<number> {
  const part = `${file}.part`
  let written = 0
  async function* ended() {
    for await (const line of lines) {
      written++
      yield `${line}\n`
    }
  }
  try {
    const text = Readable.from(ended())
    const target = createWriteStream(part)
    if (file.endsWith('.gz')) await pipeline(text, createGzip(), target)
    else await pipeline(text, target)
    await rename(part, file)
    return written
  } catch (cause) {
    await rm(part, { force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InputError(`${file} could not be written: ${reason}`, 'is the folder there, writable, and not full?')
  }
}

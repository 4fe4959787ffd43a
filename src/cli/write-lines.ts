/** Writes many lines to standard output or a file, with backpressure. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { InputError } from '../app/index.ts'
import type { Io } from './io.ts'

/** Returns the number of lines. */
export async function writeLines(
  io: Io,
  lines: AsyncIterable<string>,
  file: string | undefined,
  how: { isPrivate?: boolean } = {},
): Promise<number> {
  if (file !== undefined) return linesToFile(file, lines, how)
  let written = 0
  for await (const line of lines) {
    await io.outWhenReady(line)
    written++
  }
  return written
}

const OWNER_ONLY = 0o600

/**
 * Writes to a temporary name first, so that an existing file is replaced or left unchanged, never truncated. Compresses files that end
 * in .gz. `isPrivate`: only the owner can read the file.
 */
export async function linesToFile(
  file: string,
  lines: AsyncIterable<string> | Iterable<string>,
  { isPrivate = false }: { isPrivate?: boolean } = {},
): Promise<number> {
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
    if (isPrivate) await rm(part, { force: true }) // a leftover file would keep its mode
    const target = createWriteStream(part, isPrivate ? { mode: OWNER_ONLY } : {})
    if (file.endsWith('.gz')) await pipeline(text, createGzip(), target)
    else await pipeline(text, target)
    await rename(part, file)
    return written
  } catch (cause) {
    await rm(part, { force: true }).catch(() => {})
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InputError(
      `${file} could not be written: ${reason}`,
      'check that the folder exists, is writable, and the disk is not full',
    )
  }
}

/**
 * Writes WARC files. Each record is a gzip member of its own, so readers can start at any record, and a truncated file loses only its last
 * one. All records of an exchange are written together; a file that has become large enough is closed and the next one started. Existing
 * files are never modified.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Instant, setBounded } from '../model/index.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import type { Exchange } from './exchange.ts'
import { type EarlierRecord, earlierResponseOf, exchangeRecords } from './exchange-records.ts'
import { fieldsBlock, serializeRecord, type WarcRecord } from './warc-record.ts'

export interface WarcArchive {
  /** Resolves when it is written. Rejects with an ArchiveError on failure. */
  write(exchange: Exchange): Promise<void>
  /** Finishes pending writes; nothing is accepted afterwards. */
  close(): Promise<void>
}

export interface WarcArchiveParts {
  /** The writer: "Freshet/0.1.0 (+https://…)". */
  software: string
  now: () => Instant
}

/** A file of the archive cannot be written: the disk is full, or the folder is missing. */
export class ArchiveError extends Error {
  constructor(file: string, cause: unknown) {
    super(`the archive ${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ArchiveError'
  }
}

/** A folder of files; a new one starts when the current one reaches `maxFileBytes`. */
export async function openWarcFolder(
  folder: string,
  { maxFileBytes, ...parts }: WarcArchiveParts & { maxFileBytes: number },
): Promise<WarcArchive> {
  let serial = 0
  const stamp = () => new Date(parts.now()).toISOString().replace(/\D/g, '')
  const nextFile = () => join(folder, `freshet-${stamp()}-${String(++serial).padStart(5, '0')}.warc.gz`)
  try {
    makeFolder(folder)
  } catch (cause) {
    throw new ArchiveError(folder, cause)
  }
  return createArchive(parts, async (file, bytes) => (file && bytes < maxFileBytes ? file : createNextFile(nextFile)))
}

const MAX_ATTEMPTS = 1_000

/** Creates the first file that does not exist yet. */
async function createNextFile(nextFile: () => string): Promise<OpenFile> {
  for (let tries = 1; ; tries++) {
    try {
      return await beginFile(nextFile(), 'wx')
    } catch (error) {
      const { code } = (error as ArchiveError).cause as NodeJS.ErrnoException
      if (code !== 'EEXIST' || tries === MAX_ATTEMPTS) throw error
    }
  }
}

/** A single file, written under a temporary name and renamed when complete, so that an existing file is replaced atomically. */
export async function openWarcFile(
  file: string,
  parts: WarcArchiveParts,
): Promise<Pick<WarcArchive, 'write'> & { finish(): Promise<void>; discard(): Promise<void> }> {
  const partialFile = `${file}.part`
  const archive = createArchive(parts, async (current) => current ?? beginFile(partialFile, 'w', basename(file)))
  return {
    write: archive.write,
    async finish() {
      await archive.begin()
      await archive.close()
      await rename(partialFile, file)
    },
    async discard() {
      await archive.close()
      await rm(partialFile, { force: true }).catch(() => {})
    },
  }
}

interface OpenFile {
  path: string
  /** The name in the warcinfo record. */
  name: string
  handle: FileHandle
}

async function beginFile(path: string, flag: 'w' | 'wx', name = basename(path)): Promise<OpenFile> {
  try {
    return { path, name, handle: await open(path, flag) }
  } catch (cause) {
    throw new ArchiveError(path, cause)
  }
}

function createArchive(
  { software, now }: WarcArchiveParts,
  chooseFile: (current: OpenFile | undefined, bytes: number) => Promise<OpenFile>,
): WarcArchive & { begin(): Promise<void> } {
  const seen = createResponseIndex()
  let file: OpenFile | undefined
  let bytes = 0
  let infoId = ''
  let last: Promise<unknown> = Promise.resolve()

  /** Runs tasks one after the other, whether or not the previous one failed. */
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }

  async function append(records: readonly WarcRecord[]): Promise<void> {
    const packed = Buffer.concat(await Promise.all(records.map((record) => pack(serializeRecord(record)))))
    const { handle, path } = file!
    try {
      await handle.appendFile(packed)
    } catch (cause) {
      await handle.truncate(bytes).catch(() => {}) // an incomplete record would hide later ones
      await finish()
      throw new ArchiveError(path, cause)
    }
    bytes += packed.byteLength
  }

  async function rotateTo(next: OpenFile): Promise<void> {
    if (next === file) return
    await finish()
    file = next
    bytes = 0
    infoId = newId()
    await append([infoRecord(infoId, next.name, software, now())])
  }

  async function finish(): Promise<void> {
    const ended = file
    file = undefined
    if (!ended) return
    await ended.handle.datasync().catch(() => {})
    await ended.handle.close().catch(() => {})
  }

  return {
    write: (exchange) =>
      enqueue(async () => {
        await rotateTo(await chooseFile(file, bytes))
        const records = exchangeRecords(exchange, { newId, infoId, earlierResponse: seen })
        await append(records)
        seen.note(earlierResponseOf(records))
      }),
    /** Even an empty file has a warcinfo record. */
    begin: () => enqueue(async () => rotateTo(await chooseFile(file, bytes))),
    close: () => enqueue(finish),
  }
}

const pack = promisify(gzip) as (bytes: Uint8Array) => Promise<Uint8Array>

function newId(): string {
  return `<urn:uuid:${randomUUID()}>`
}

function infoRecord(id: string, filename: string, software: string, at: Instant): WarcRecord {
  const block = fieldsBlock([
    ['software', software],
    ['format', 'WARC File Format 1.1'],
    ['conformsTo', 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
    ['robots', 'classic'],
  ])
  return {
    type: 'warcinfo',
    id,
    at,
    contentType: 'application/warc-fields',
    fields: [['WARC-Filename', filename]],
    block,
  }
}

const MAX_REMEMBERED_RECORDS = 20_000

/** The latest responses, for revisits to refer to. Responses dropped from here are written in full again. */
function createResponseIndex() {
  const byUrl = new Map<string, EarlierRecord>()
  const byDigest = new Map<string, EarlierRecord>()
  return {
    ofUrl: (url: string) => byUrl.get(url),
    ofDigest: (digest: string) => byDigest.get(digest),
    note(earlier: EarlierRecord | undefined): void {
      if (!earlier) return
      setBounded(byUrl, earlier.url, earlier, MAX_REMEMBERED_RECORDS)
      setBounded(byDigest, earlier.digest, earlier, MAX_REMEMBERED_RECORDS)
    },
  }
}

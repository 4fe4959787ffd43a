/**
 * Reads our own WARC archives: each exchange in the order written, with its body decoded. Records are read one by one (each is a gzip
 * member), so a folder of any size needs little memory; a revisit gets the body of the response it refers to. An incomplete record at the
 * end of a file, left by a crash, is skipped.
 */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { Instant, Millis } from '../model/index.ts'

export interface ArchivedExchange {
  url: string
  at: Instant
  tookMs?: Millis
  /** The address that redirected here. */
  via?: string
  /** The server's IP address. */
  address?: string
  /** Names in lower case; repeated headers joined by ", ". */
  request: Record<string, string>
  status: number
  headers: Record<string, string>
  /** Decoded. */
  body: Uint8Array
  /** Size of the body as transferred. */
  wireBytes: number
}

/** The folder contains no archive, or the file is not one. */
export class NoArchiveError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NoArchiveError'
  }
}

/** `folder`: of an archive, or a single file. */
export async function* readArchive(folder: string): AsyncGenerator<ArchivedExchange> {
  const bodies = new Map<string, { file: string; at: number }>()
  let records = 0
  const files = await filesOf(folder)
  for (const file of files) yield* exchangesIn(file, bodies, () => records++)
  // An archive in a folder may have just been started.
  if (records === 0 && files[0] === folder) throw new NoArchiveError(`${folder} is not a WARC file`)
}

const MAX_RECORD_BYTES = 256_000_000
const MAX_BODY_BYTES = 100_000_000
const READ_BYTES = 256 * 1024

async function filesOf(folder: string): Promise<string[]> {
  try {
    if ((await stat(folder)).isFile()) return [folder]
    const names = (await readdir(folder)).filter((name) => /\.warc(?:\.gz)?$/i.test(name)).sort()
    if (names.length > 0) return names.map((name) => join(folder, name))
  } catch (cause) {
    throw new NoArchiveError(`the archive ${folder} cannot be read`, cause)
  }
  throw new NoArchiveError(`there is no WARC file in ${folder}`)
}

interface RawRecord {
  headers: Record<string, string>
  block: Buffer
}

type Bodies = Map<string, { file: string; at: number }>

async function* exchangesIn(file: string, bodies: Bodies, onRecord: () => void): AsyncGenerator<ArchivedExchange> {
  let requestHeaders: Record<string, string> = {}
  let exchange: ArchivedExchange | undefined
  const handle = await open(file)
  try {
    for await (const { record, at } of recordsIn(handle)) {
      onRecord()
      const { headers, block } = record
      const type = headers['warc-type']
      if (type === 'request') {
        if (exchange) yield exchange
        exchange = undefined
        requestHeaders = splitHttp(block).headers
      } else if (type === 'response' || type === 'revisit') {
        const digest = headers['warc-payload-digest']
        if (type === 'response' && digest) bodies.set(digest, { file, at })
        exchange = await exchangeOf(record, requestHeaders, bodies)
      } else if (type === 'metadata' && exchange) Object.assign(exchange, protocolNotes(block.toString()))
    }
    if (exchange) yield exchange
  } finally {
    await handle.close()
  }
}

async function exchangeOf(
  { headers, block }: RawRecord,
  request: Record<string, string>,
  bodies: Bodies,
): Promise<ArchivedExchange> {
  const http = splitHttp(block)
  const isBodyElsewhere = headers['warc-type'] === 'revisit' && http.status !== 304
  const body = isBodyElsewhere ? await bodyReferredTo(headers['warc-payload-digest'] ?? '', bodies) : http.body
  return {
    url: headers['warc-target-uri'] ?? '',
    at: Date.parse(headers['warc-date'] ?? ''),
    ...(headers['warc-ip-address'] && { address: headers['warc-ip-address'] }),
    request,
    status: http.status,
    headers: http.headers,
    body: decoded(body, http.headers['content-encoding']),
    wireBytes: body.byteLength,
  }
}

/** The body of an earlier response; empty if its file is missing. */
async function bodyReferredTo(digest: string, bodies: Bodies): Promise<Buffer> {
  const location = bodies.get(digest)
  if (!location) return Buffer.alloc(0)
  const handle = await open(location.file)
  try {
    const found = await memberAt(handle, location.at, (await handle.stat()).size)
    return found ? splitHttp(splitRecord(found.content).block).body : Buffer.alloc(0)
  } finally {
    await handle.close()
  }
}

async function* recordsIn(handle: FileHandle): AsyncGenerator<{ record: RawRecord; at: number }> {
  const { size } = await handle.stat()
  for (let at = 0; at < size; ) {
    const member = await memberAt(handle, at, size)
    if (!member) return
    yield { record: splitRecord(member.content), at }
    at = member.end
  }
}

const HEADER_BYTES = 10 // RFC 1952: a header without name and comment, as we write them
const TRAILER_BYTES = 8

/** Reads increasing parts of the file until the gzip member is complete. */
async function memberAt(
  handle: FileHandle,
  at: number,
  size: number,
): Promise<{ content: Buffer; end: number } | undefined> {
  for (let length = READ_BYTES; ; length *= 4) {
    const bytes = Buffer.alloc(Math.min(length, size - at))
    await handle.read(bytes, 0, bytes.length, at)
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[3] !== 0) return undefined
    const member = inflated(bytes)
    if (member) return { content: member.content, end: at + member.bytes }
    if (bytes.length === size - at || length > MAX_RECORD_BYTES) return undefined
  }
}

function inflated(bytes: Buffer): { content: Buffer; bytes: number } | undefined {
  try {
    const options = { info: true, maxOutputLength: MAX_RECORD_BYTES }
    const { buffer, engine } = inflateRawSync(bytes.subarray(HEADER_BYTES), options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    const length = HEADER_BYTES + engine.bytesWritten + TRAILER_BYTES
    return length <= bytes.length ? { content: buffer, bytes: length } : undefined
  } catch {
    return undefined
  }
}

function splitRecord(content: Buffer): RawRecord {
  const headEnd = content.indexOf('\r\n\r\n')
  const { headers } = readHead(content.subarray(0, headEnd))
  const length = Number(headers['content-length'] ?? 0)
  return { headers, block: content.subarray(headEnd + 4, headEnd + 4 + length) }
}

function splitHttp(block: Buffer): { status: number; headers: Record<string, string>; body: Buffer } {
  const headEnd = block.indexOf('\r\n\r\n')
  const { first, headers } = readHead(block.subarray(0, headEnd < 0 ? block.length : headEnd))
  const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(first)?.[1] ?? 0)
  return { status, headers, body: headEnd < 0 ? Buffer.alloc(0) : block.subarray(headEnd + 4) }
}

function readHead(head: Buffer): { first: string; headers: Record<string, string> } {
  const [first = '', ...lines] = head.toString('latin1').split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).toLowerCase()
    const before = headers.get(name)
    headers.set(name, `${before === undefined ? '' : `${before}, `}${line.slice(colon + 1).trim()}`)
  }
  return { first, headers: Object.fromEntries(headers) }
}

function protocolNotes(text: string): Pick<ArchivedExchange, 'via' | 'tookMs'> {
  const via = /^via: (.+)$/m.exec(text)?.[1]?.trim()
  const tookMs = /^fetchTimeMs: (\d+)/m.exec(text)?.[1]
  return { ...(via && { via }), ...(tookMs && { tookMs: Number(tookMs) }) }
}

const DECODERS = new Map<string, (bytes: Uint8Array) => Uint8Array>([
  ['gzip', (bytes) => gunzipSync(bytes, BOUND)],
  ['x-gzip', (bytes) => gunzipSync(bytes, BOUND)],
  ['deflate', (bytes) => ((bytes[0]! & 0x0f) === 8 ? inflateSync(bytes, BOUND) : inflateRawSync(bytes, BOUND))],
  ['br', (bytes) => brotliDecompressSync(bytes, BOUND)],
  ['zstd', (bytes) => zstdDecompressSync(bytes, BOUND)],
])
const BOUND = { maxOutputLength: MAX_BODY_BYTES }

/** Empty if the body cannot be decoded, which the crawl could not either. */
function decoded(body: Uint8Array, encoding: string | undefined): Uint8Array {
  if (!encoding || body.length === 0) return body
  try {
    return encoding
      .toLowerCase()
      .split(',')
      .reverse()
      .reduce((bytes, coding) => DECODERS.get(coding.trim())?.(bytes) ?? bytes, body)
  } catch {
    return new Uint8Array()
  }
}

/**
 * A strict reader of WARC files for tests: each record must be a gzip member, lines must end in CR LF, lengths and digests must be right.
 * Only the bytes after the last complete member may be invalid; their number is returned.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

export interface ReadRecord {
  headers: Record<string, string>
  /** Raw headers, in file order and with duplicates. */
  block: Buffer
  /** For HTTP: the first line, the headers in lower case, and the body. */
  http?: { first: string; headers: Record<string, string>; body: Buffer }
}

export function readWarc(file: string): { records: ReadRecord[]; leftOver: number } {
  const bytes = readFileSync(file)
  const records: ReadRecord[] = []
  let at = 0
  while (at < bytes.length) {
    const member = memberAt(bytes, at)
    if (!member) break
    records.push(readRecord(member.content))
    at = member.end
  }
  return { records, leftOver: bytes.length - at }
}

const HEADER_BYTES = 10 // RFC 1952: without name and comment
const TRAILER_BYTES = 8

function memberAt(bytes: Buffer, at: number): { content: Buffer; end: number } | undefined {
  if (bytes[at] !== 0x1f || bytes[at + 1] !== 0x8b || bytes[at + 3] !== 0) return undefined
  try {
    const { buffer, engine } = inflateRawSync(bytes.subarray(at + HEADER_BYTES), { info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    const end = at + HEADER_BYTES + engine.bytesWritten + TRAILER_BYTES
    return end <= bytes.length ? { content: buffer, end } : undefined
  } catch {
    return undefined
  }
}

function readRecord(content: Buffer): ReadRecord {
  const headEnd = content.indexOf('\r\n\r\n')
  const [first, headers] = readHead(content.subarray(0, headEnd))
  if (first !== 'WARC/1.1') throw new Error(`no record: ${first}`)
  const block = content.subarray(headEnd + 4, content.length - 4)
  if (content.subarray(content.length - 4).toString() !== '\r\n\r\n') throw new Error('the record does not end')
  if (Number(headers['content-length']) !== block.length) throw new Error(`the block has ${block.length} bytes`)
  if (headers['warc-block-digest'] !== digest(block)) throw new Error('the block has another digest')
  const record: ReadRecord = { headers, block }
  if (headers['content-type']?.startsWith('application/http')) record.http = readHttp(block)
  const isWhole = headers['warc-type'] === 'response' && headers['warc-payload-digest'] !== undefined
  if (isWhole && headers['warc-payload-digest'] !== digest(record.http!.body))
    throw new Error('the payload has another digest')
  return record
}

function readHttp(block: Buffer): NonNullable<ReadRecord['http']> {
  const headEnd = block.indexOf('\r\n\r\n')
  const [first, headers] = readHead(block.subarray(0, headEnd))
  const body = block.subarray(headEnd + 4)
  return { first, headers, body }
}

function readHead(head: Buffer): [first: string, headers: Record<string, string>] {
  const [first = '', ...lines] = head.toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined || /[\r\n]/.test(line)) throw new Error(`no header: ${line}`)
    headers[name.toLowerCase()] = value
  }
  return [first, headers]
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Implemented differently from the writer's. */
function digest(bytes: Uint8Array): string {
  const bits = [...hash('sha1', bytes, 'buffer')].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `sha1:${bits
    .match(/.{5}/g)!
    .map((five) => LETTERS[Number.parseInt(five, 2)])
    .join('')}`
}

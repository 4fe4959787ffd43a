/**
 * Serializes outcomes for queues. Outcomes are plain JSON except for the body of a page, which is compressed with Zstandard and encoded in
 * Base64. Not needed within one process, so queues do it, not the crawl.
 */
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { type FetchedPage, MAX_PAGE_BYTES, type Outcome } from '../model/index.ts'

type TransportOutcome =
  | Outcome
  | (Omit<Outcome, 'result'> & { result: { kind: 'packed-page'; reading: PackedReading } })

interface PackedReading extends Omit<FetchedPage, 'body'> {
  packedBody: string
}

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

export async function outcomeToJson(outcome: Outcome): Promise<string> {
  return JSON.stringify(await toTransport(outcome))
}

/** Limits the decompressed size of pages, regardless of the sender. */
export function outcomeFromJson(text: string): Promise<Outcome> {
  return outcomeFromTransport(JSON.parse(text))
}

/** The same for parsed JSON. */
export async function outcomeFromTransport(transported: TransportOutcome): Promise<Outcome> {
  const { result, ...rest } = transported
  if (result.kind !== 'packed-page') return { ...rest, result }
  const { packedBody, ...reading } = result.reading
  const body = await unpack(Buffer.from(packedBody, 'base64'), { maxOutputLength: MAX_PAGE_BYTES })
  return { ...rest, result: { kind: 'page', reading: { ...reading, body } } }
}

async function toTransport({ result, ...rest }: Outcome): Promise<TransportOutcome> {
  if (result.kind !== 'page') return { ...rest, result }
  const { body, ...reading } = result.reading
  const packedBody = (await pack(body)).toString('base64')
  return { ...rest, result: { kind: 'packed-page', reading: { ...reading, packedBody } } }
}

/**
 * Outcomes as text, for a queue that carries nothing else. All of an outcome is plain JSON, but for the body of a page: that
 * is packed by Zstandard and written in Base64. In one process nobody has to do that, so it is the business of queues.
 */
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { LARGEST_PAGE, type Outcome, type PageReading } from '../../model/index.ts'

type Carried = Outcome | (Omit<Outcome, 'result'> & { result: { kind: 'packed-page'; reading: PackedReading } })

interface PackedReading extends Omit<PageReading, 'body'> {
  packedBody: string
}

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

export async function outcomeToJson(outcome: Outcome): Promise<string> {
  return JSON.stringify(await carried(outcome))
}

/** Whoever packed it: no page is larger than pages may be. */
export function outcomeFromJson(text: string): Promise<Outcome> {
  return outcomeFromCarried(JSON.parse(text))
}

/** The same, once it is JSON. */
export async function outcomeFromCarried(brought: Carried): Promise<Outcome> {
  const { result, ...rest } = brought
  if (result.kind !== 'packed-page') return { ...rest, result }
  const { packedBody, ...reading } = result.reading
  const body = await unpack(Buffer.from(packedBody, 'base64'), { maxOutputLength: LARGEST_PAGE })
  return { ...rest, result: { kind: 'page', reading: { ...reading, body } } }
}

async function carried({ result, ...rest }: Outcome): Promise<Carried> {
  if (result.kind !== 'page') return { ...rest, result }
  const { body, ...reading } = result.reading
  const packedBody = (await pack(body)).toString('base64')
  return { ...rest, result: { kind: 'packed-page', reading: { ...reading, packedBody } } }
}

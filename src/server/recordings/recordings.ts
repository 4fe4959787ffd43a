/**
 * Streams audio and video from publishers to users (`--proxy-media`). A recording is fetched in parts as the user reads it, each an ordinary
 * request of the Net with all of its limits; the server of the publisher has to support ranges, unless the file is small. Each stream keeps
 * one part in memory. The number of streams is limited for each user and in total.
 */
import { describeFailure, type Instant, MINUTE, type WebAddress } from '../../model/index.ts'
import type { Clock, Net, NetAnswer } from '../../ports/index.ts'
import type { LinkedFile } from '../../views/index.ts'

export interface WantedRecording extends LinkedFile {
  /** As the feed states it. */
  type?: string | undefined
}

/** A requested range; without `to` up to the end. */
export interface ByteRange {
  from: number
  to?: number | undefined
}

export type OpenedRecording =
  | { kind: 'stream'; type: string; from: number; to: number; total: number; body: ReadableStream<Uint8Array> }
  /** The range begins after the end. */
  | { kind: 'beyond'; total: number | undefined }
  /** `reason`: for users. */
  | { kind: 'none'; reason: string }
  /** Too many streams are open. */
  | { kind: 'busy' }

export interface Recordings {
  /** `user`: a key for the limit of streams. */
  open(wanted: WantedRecording, range: ByteRange, user: string): Promise<OpenedRecording>
}

export const PART_BYTES = 1_000_000
/** Of a file whose server does not send ranges. */
export const MAX_WHOLE_BYTES = 8_000_000
export const MAX_STREAMS = 32
export const MAX_STREAMS_PER_USER = 4

/** A stream that nobody reads from for so long, such as that of a paused player, makes room for others. */
const IDLE_MS = MINUTE

interface Stream {
  user: string
  end: AbortController
  readAt: Instant
}

interface Part {
  body: Uint8Array
  from: number
  total: number
  /** After redirects: further parts are requested there. */
  url: WebAddress
  contentType: string
}

export function createRecordings({ net, clock }: { net: Net; clock: Clock }): Recordings {
  /** Oldest first. */
  const streams = new Set<Stream>()

  function end(stream: Stream): void {
    stream.end.abort()
    streams.delete(stream)
  }

  /** Players open a stream for each jump and leave the old one behind, so a user's oldest stream ends. Undefined if all others are busy. */
  function takeSlot(user: string): Stream | undefined {
    const open = [...streams]
    const own = open.filter((stream) => stream.user === user)
    if (own.length >= MAX_STREAMS_PER_USER) end(own[0]!)
    else if (open.length >= MAX_STREAMS) {
      const idle = open.find(({ readAt }) => readAt < clock.now() - IDLE_MS)
      if (!idle) return undefined
      end(idle)
    }
    const slot = { user, end: new AbortController(), readAt: clock.now() }
    streams.add(slot)
    return slot
  }

  async function fetchPart(
    { url, feedUrl }: LinkedFile,
    from: number,
    to: number | undefined,
    signal: AbortSignal,
  ): Promise<Part | OpenedRecording> {
    const last = Math.min(to ?? Number.POSITIVE_INFINITY, from + PART_BYTES - 1)
    const answer = await net.get({
      url,
      named: feedUrl,
      headers: { accept: 'audio/*, video/*, */*;q=0.1', range: `bytes=${from}-${last}` },
      maxBytes: MAX_WHOLE_BYTES,
      shouldSkipBody: (headers) => !isRecording(headers['content-type']) || isTooLarge(headers),
      signal,
    })
    return partIn(answer, from)
  }

  return {
    async open(wanted, { from, to }, user) {
      const slot = takeSlot(user)
      if (!slot) return { kind: 'busy' }
      const { signal } = slot.end
      const first = await fetchPart(wanted, from, to, signal).catch((error: unknown) => {
        streams.delete(slot)
        throw error
      })
      const type = 'kind' in first ? undefined : recordingType(first.contentType, wanted.type)
      if ('kind' in first || type === undefined) {
        streams.delete(slot)
        return 'kind' in first ? first : { kind: 'none', reason: 'it is neither audio nor video' }
      }
      const { total } = first
      const last = Math.min(to ?? total - 1, total - 1)
      let next: Part | undefined = first
      let at = from
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            slot.readAt = clock.now()
            const part: Part | OpenedRecording =
              next ?? (await fetchPart({ url: first.url, feedUrl: wanted.feedUrl }, at, last, signal))
            next = undefined
            if ('kind' in part || part.total !== total || signal.aborted) {
              streams.delete(slot)
              controller.error(new Error('the recording ended early'))
              return
            }
            const bytes = part.body.subarray(0, last - at + 1)
            at += bytes.length
            controller.enqueue(bytes)
            if (at > last) {
              streams.delete(slot)
              controller.close()
            }
          },
          cancel() {
            end(slot)
          },
        },
        { highWaterMark: 0 },
      )
      return { kind: 'stream', type, from, to: last, total, body }
    },
  }
}

/** The part of an answer that begins at `from`. */
function partIn(answer: NetAnswer, from: number): Part | OpenedRecording {
  if (!answer.ok) return { kind: 'none', reason: describeFailure(answer.failure) }
  const { status, headers, body, url } = answer
  const contentType = headers['content-type'] ?? ''
  const [, first = '', , size = ''] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  if (status === 416) {
    const [, total] = /^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
    return { kind: 'beyond', total: total === undefined ? undefined : Number(total) }
  }
  if (status !== 200 && status !== 206) return { kind: 'none', reason: describeFailure({ kind: 'http', status }) }
  if (!isRecording(contentType)) return { kind: 'none', reason: 'it is neither audio nor video' }
  if (isTooLarge(headers)) return { kind: 'none', reason: 'its server sends no parts of large files' }
  if (status === 206) {
    const isPart = Number(first) === from && body.length > 0
    if (!isPart) return { kind: 'none', reason: 'its server sent another part of the file' }
    return { body, from, total: Number(size), url, contentType }
  }
  if (from >= body.length) return { kind: 'beyond', total: body.length }
  return { body: body.subarray(from), from, total: body.length, url, contentType }
}

/** A complete file that is too large to read at once. */
function isTooLarge(headers: Record<string, string>): boolean {
  return headers['content-range'] === undefined && Number(headers['content-length'] ?? 0) > MAX_WHOLE_BYTES
}

const UNKNOWN_TYPE = /^(?:application\/octet-stream|binary\/octet-stream)?\s*(?:;|$)/i
const MEDIA_TYPE = /^(?:audio|video)\/[\w.+-]{1,60}/i

/** Or may be one, if the feed says so. */
function isRecording(type = ''): boolean {
  return MEDIA_TYPE.test(type) || UNKNOWN_TYPE.test(type) || /^application\/ogg\b/i.test(type)
}

function recordingType(type: string, inFeed = ''): string | undefined {
  if (/^application\/ogg\b/i.test(type)) return 'audio/ogg'
  return (MEDIA_TYPE.exec(type) ?? (UNKNOWN_TYPE.test(type) ? MEDIA_TYPE.exec(inFeed) : null))?.[0].toLowerCase()
}

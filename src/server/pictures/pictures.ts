/**
 * Pictures from the web, fetched once for all who look. They go through the same Net as everything, which visits no network
 * that is not public; their size, their number under way and the room they take have bounds. What could not be had is not asked
 * for again for a while, and a host that says that it is too much is left alone.
 */
import { DAY, type Failure, failureInWords, type Instant, MINUTE } from '../../model/index.ts'
import type { Clock, Net, NetAnswer } from '../../ports/index.ts'
import { type PictureType, pictureType } from './picture-type.ts'

export type FetchedPicture =
  | { kind: 'picture'; type: PictureType; body: Uint8Array<ArrayBuffer> }
  /** `words`: why, for people. */
  | { kind: 'none'; words: string }
  /** Too many are under way. */
  | { kind: 'busy' }

export interface Pictures {
  get(url: string): Promise<FetchedPicture>
  /** Only what is known by now. */
  atHand(url: string): FetchedPicture | undefined
}

export const LARGEST_PICTURE = 3_000_000
export const MOST_AT_ONCE = 16
/** As a browser would. */
export const MOST_AT_A_HOST = 4
const KEPT_BYTES = 32_000_000
const KEPT_MS = DAY
const FAILURE_KEPT_MS = 10 * MINUTE
/** What a picture takes beside its bytes, and what one takes that could not be had. */
const ROW_BYTES = 1000

interface Kept {
  picture: FetchedPicture
  bytes: number
  until: Instant
}

export function createPictures({ net, clock }: { net: Net; clock: Clock }): Pictures {
  /** Those that were asked for last stand last. */
  const kept = new Map<string, Kept>()
  const underWay = new Map<string, Promise<FetchedPicture>>()
  let bytes = 0

  function keep(key: string, picture: FetchedPicture): void {
    drop(key)
    const size = ROW_BYTES + (picture.kind === 'picture' ? picture.body.length : 0)
    const forMs = picture.kind === 'picture' ? KEPT_MS : FAILURE_KEPT_MS
    kept.set(key, { picture, bytes: size, until: clock.now() + forMs })
    bytes += size
    for (const oldest of kept.keys()) {
      if (bytes <= KEPT_BYTES) return
      drop(oldest)
    }
  }

  function drop(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function known(key: string): FetchedPicture | undefined {
    const found = kept.get(key)
    if (!found) return undefined
    if (found.until <= clock.now()) {
      drop(key)
      return undefined
    }
    kept.delete(key)
    kept.set(key, found)
    return found.picture
  }

  async function fetchPicture(url: string): Promise<FetchedPicture> {
    const answer = await net.get({
      url,
      named: null, // no person named it: what is not public is not visited, whatever was allowed
      headers: { accept: ACCEPT },
      maxBytes: LARGEST_PICTURE,
      skipsBody: ({ 'content-type': type = 'image/' }) => !MAYBE.test(type),
    })
    const picture = pictureIn(answer)
    if (answer.ok && (answer.status === 429 || answer.status === 503)) keep(hostOf(url), picture)
    keep(url, picture)
    return picture
  }

  return {
    atHand: (url) => known(url) ?? known(hostOf(url)),
    async get(url) {
      const before = known(url) ?? known(hostOf(url)) ?? underWay.get(url)
      if (before) return before
      const there = [...underWay.keys()].filter((other) => hostOf(other) === hostOf(url)).length
      if (underWay.size >= MOST_AT_ONCE || there >= MOST_AT_A_HOST) return { kind: 'busy' }
      const fetching = fetchPicture(url).finally(() => underWay.delete(url))
      underWay.set(url, fetching)
      return fetching
    },
  }
}

const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif, image/x-icon, */*;q=0.1'
const MAYBE = /^(image\/|application\/octet-stream|binary\/)/i

function pictureIn(answer: NetAnswer): FetchedPicture {
  if (!answer.ok) return none(answer.failure)
  const { status, body } = answer
  if (status !== 200) return none({ kind: 'http', status })
  const type = pictureType(body)
  return type
    ? { kind: 'picture', type, body: new Uint8Array(body) }
    : { kind: 'none', words: 'what is there is no picture that we show' }
}

function none(failure: Failure): FetchedPicture {
  return { kind: 'none', words: failureInWords(failure) }
}

/** As a key; no address is written like this. */
function hostOf(url: string): string {
  return `host ${new URL(url).host}`
}

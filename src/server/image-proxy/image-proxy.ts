/**
 * Fetches and caches pictures, shared by all users. Uses the same Net as the crawl, which connects to allowed private networks only for
 * feeds that are there themselves. The size of a picture, the number of requests in flight and the cache are limited. Failures are cached for a while, and hosts that answer 429 or 503
 * are not asked again for that time.
 */
import { DAY, describeFailure, type Failure, type Instant, MINUTE } from '../../model/index.ts'
import type { Clock, Net, NetAnswer } from '../../ports/index.ts'
import type { LinkedFile } from '../../views/index.ts'
import { type ImageType, imageType } from './image-type.ts'

export type FetchedPicture =
  | { kind: 'picture'; type: ImageType; body: Uint8Array<ArrayBuffer> }
  /** `words`: the reason, for users. */
  | { kind: 'none'; reason: string }
  /** Too many requests are in flight. */
  | { kind: 'busy' }

export interface ImageProxy {
  get(wanted: LinkedFile): Promise<FetchedPicture>
  /** Undefined if it is not cached. */
  getCached(wanted: LinkedFile): FetchedPicture | undefined
}

export const MAX_PICTURE_BYTES = 3_000_000
export const MAX_CONCURRENT_PICTURES = 16
/** Similar to a browser. */
export const MAX_CONCURRENT_PER_HOST = 4
const MAX_CACHE_BYTES = 32_000_000
const CACHE_MS = DAY
const FAILURE_CACHE_MS = 10 * MINUTE
/** Memory of a cache entry in addition to its picture. */
const ENTRY_OVERHEAD_BYTES = 1000

interface CacheEntry {
  picture: FetchedPicture
  bytes: number
  until: Instant
}

export function createImageProxy({ net, clock }: { net: Net; clock: Clock }): ImageProxy {
  /** Least recently used first. */
  const cache = new Map<string, CacheEntry>()
  const inFlight = new Map<string, { host: string; picture: Promise<FetchedPicture> }>()
  let bytes = 0

  function store(key: string, picture: FetchedPicture): void {
    drop(key)
    const size = ENTRY_OVERHEAD_BYTES + (picture.kind === 'picture' ? picture.body.length : 0)
    const ttlMs = picture.kind === 'picture' ? CACHE_MS : FAILURE_CACHE_MS
    cache.set(key, { picture, bytes: size, until: clock.now() + ttlMs })
    bytes += size
    for (const oldest of cache.keys()) {
      if (bytes <= MAX_CACHE_BYTES) return
      drop(oldest)
    }
  }

  function drop(key: string): void {
    bytes -= cache.get(key)?.bytes ?? 0
    cache.delete(key)
  }

  function lookUp(key: string): FetchedPicture | undefined {
    const found = cache.get(key)
    if (!found) return undefined
    if (found.until <= clock.now()) {
      drop(key)
      return undefined
    }
    cache.delete(key)
    cache.set(key, found)
    return found.picture
  }

  async function fetchPicture({ url, feedUrl }: LinkedFile, key: string): Promise<FetchedPicture> {
    const answer = await net.get({
      url,
      named: feedUrl,
      headers: { accept: ACCEPT },
      maxBytes: MAX_PICTURE_BYTES,
      shouldSkipBody: ({ 'content-type': type = 'image/' }) => !ACCEPTED_TYPES.test(type),
    })
    const picture = pictureIn(answer)
    if (answer.ok && (answer.status === 429 || answer.status === 503)) store(hostOf(url), picture)
    store(key, picture)
    return picture
  }

  return {
    getCached: (wanted) => lookUp(keyOf(wanted)) ?? lookUp(hostOf(wanted.url)),
    async get(wanted) {
      const [key, host] = [keyOf(wanted), hostOf(wanted.url)]
      const existing = lookUp(key) ?? lookUp(host) ?? inFlight.get(key)?.picture
      if (existing) return existing
      const atHost = [...inFlight.values()].filter((other) => other.host === host).length
      if (inFlight.size >= MAX_CONCURRENT_PICTURES || atHost >= MAX_CONCURRENT_PER_HOST) return { kind: 'busy' }
      const picture = fetchPicture(wanted, key).finally(() => inFlight.delete(key))
      inFlight.set(key, { host, picture })
      return picture
    },
  }
}

const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif, image/x-icon, */*;q=0.1'
const ACCEPTED_TYPES = /^(image\/|application\/octet-stream|binary\/)/i

function pictureIn(answer: NetAnswer): FetchedPicture {
  if (!answer.ok) return failed(answer.failure)
  const { status, body } = answer
  if (status !== 200) return failed({ kind: 'http', status })
  const type = imageType(body)
  return type
    ? { kind: 'picture', type, body: new Uint8Array(body) }
    : { kind: 'none', reason: 'the response is not a supported image' }
}

function failed(failure: Failure): FetchedPicture {
  return { kind: 'none', reason: describeFailure(failure) }
}

/**
 * Feeds on one host share a picture. Feeds on others fetch it themselves, since not every feed may lead to every network, and nobody
 * should see through the cache what their own feed may not.
 */
function keyOf({ url, feedUrl }: LinkedFile): string {
  return `${new URL(feedUrl).host} ${url}`
}

/** A cache key that cannot be that of a picture. */
function hostOf(url: string): string {
  return `host ${new URL(url).host}`
}

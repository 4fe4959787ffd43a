/**
 * Fetches and caches the chapters at the addresses that feeds give. Uses the same Net as pictures: it connects to allowed private networks
 * only for feeds that are there themselves. Size, requests in flight and the cache are limited, and failures are remembered for a while.
 */
import { DAY, type Instant, MINUTE, setBounded } from '../../model/index.ts'
import type { Clock, Net } from '../../ports/index.ts'
import { chaptersInDocument, type LinkedFile, mayBeChapters } from '../../views/index.ts'

type Chapters = ReturnType<typeof chaptersInDocument>

export interface StatedChapters {
  /** Undefined if there are none, or too many requests are in flight. */
  get(wanted: LinkedFile): Promise<Chapters>
}

export const MAX_CHAPTERS_BYTES = 256_000
export const MAX_CHAPTER_REQUESTS = 8
const MAX_CACHED = 200
const CACHE_MS = DAY
const FAILURE_CACHE_MS = 10 * MINUTE

export function createStatedChapters({ net, clock }: { net: Net; clock: Clock }): StatedChapters {
  const cache = new Map<string, { chapters: Chapters; until: Instant }>()
  const inFlight = new Map<string, Promise<Chapters>>()

  async function fetchChapters({ url, feedUrl }: LinkedFile, key: string): Promise<Chapters> {
    const answer = await net.get({
      url,
      named: feedUrl,
      headers: { accept: 'application/json+chapters, application/json;q=0.9, */*;q=0.1' },
      maxBytes: MAX_CHAPTERS_BYTES,
      shouldSkipBody: ({ 'content-type': type = 'application/json' }) => !mayBeChapters(type),
    })
    const isThere = answer.ok && answer.status === 200
    const chapters = isThere ? chaptersInDocument(new TextDecoder().decode(answer.body)) : undefined
    setBounded(cache, key, { chapters, until: clock.now() + (chapters ? CACHE_MS : FAILURE_CACHE_MS) }, MAX_CACHED)
    return chapters
  }

  return {
    async get(wanted) {
      // Not every feed may lead to every network: feeds on other hosts fetch the same file themselves.
      const key = `${new URL(wanted.feedUrl).host} ${wanted.url}`
      const cached = cache.get(key)
      if (cached && cached.until > clock.now()) return cached.chapters
      const pending = inFlight.get(key)
      if (pending) return pending
      if (inFlight.size >= MAX_CHAPTER_REQUESTS) return undefined
      const chapters = fetchChapters(wanted, key).finally(() => inFlight.delete(key))
      inFlight.set(key, chapters)
      return chapters
    },
  }
}

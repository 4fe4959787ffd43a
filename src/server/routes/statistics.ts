/**
 * Statistics since a date: entries and copies by feed and hour of the day. Counting is slow in large stores, so concurrent requests share one
 * count, and the result is cached for ten times as long as counting took: polling pages use at most a tenth of the time.
 */

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { StatisticsShape } from '../../api/index.ts'
import { OPERATIONS } from '../../api/index.ts'
import { DAY, type Instant } from '../../model/index.ts'
import { statisticsWithTitles } from '../../views/index.ts'
import { visibilityOf, visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

const CACHE_FACTOR = 10 // times the duration of the count

/** Cached results: one per user, and one for the whole crawl. */
const MAX_CACHED = 100

interface CachedStatistics {
  since: Instant | undefined
  answer: Promise<StatisticsShape>
  /** Infinite while counting. */
  until: Instant
}

export function statisticsRoutes(parts: ServerParts): OpenAPIHono {
  const { clock } = parts
  const app = validatedRoutes()
  /** By scope and user. */
  const cache = new Map<string, CachedStatistics>()
  let last: CachedStatistics | undefined

  function count(since: Instant | undefined, visible: ServerParts): CachedStatistics {
    const previous = last?.answer.catch(() => {})
    const cached: CachedStatistics = { since, answer: countAfter(), until: Number.POSITIVE_INFINITY }
    return cached

    /** Runs after the previous count. */
    async function countAfter(): Promise<StatisticsShape> {
      await previous
      const startedAt = clock.now()
      try {
        return await statisticsWithTitles(since ?? startedAt - 7 * DAY, visible)
      } finally {
        cached.until = clock.now() + CACHE_FACTOR * (clock.now() - startedAt)
      }
    }
  }

  app.openapi(OPERATIONS.getStatistics, async (c) => {
    const { since } = c.req.valid('query')
    const [{ userId, reach }, visible] = [await visibilityOf(c, parts), await visibleParts(c, parts)]
    const key = reach === 'everything' ? reach : `${reach} ${userId}`
    let cached = cache.get(key)
    if (!cached || cached.since !== since || cached.until <= clock.now()) {
      cached = count(since, visible)
      last = cached
      cache.delete(key)
      cache.set(key, cached)
      for (const oldest of cache.keys()) if (cache.size > MAX_CACHED) cache.delete(oldest)
    }
    return c.json(await cached.answer, 200)
  })
  return app
}

/**
 * What was said since some date, by feed and hour of the day, and how much of it had been said before.
 * To count it takes its time where much is stored. It is counted once for all who ask meanwhile, and who asks again soon
 * after, by what it took, gets the same answer: so a page that asks often takes a tenth of the time at most.
 */

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { StatisticsShape } from '../../api/index.ts'
import { OPERATIONS } from '../../api/index.ts'
import { DAY, type Instant } from '../../model/index.ts'
import { statisticsWithTitles } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { visibilityOf, visibleParts } from '../visible.ts'

const KEPT_FOR = 10 // times what it took

/** Users whose answers are kept; what the crawl as a whole has is one of them. */
const MOST_KEPT = 100

interface Counted {
  since: Instant | undefined
  answer: Promise<StatisticsShape>
  /** While it is being counted, for ever. */
  until: Instant
}

export function statisticsRoutes(parts: ServerParts): OpenAPIHono {
  const { clock } = parts
  const app = validatedRoutes()
  /** By whose it is. */
  const kept = new Map<string, Counted>()
  let last: Counted | undefined

  function count(since: Instant | undefined, seen: ServerParts): Counted {
    const before = last?.answer.catch(() => {})
    const counted: Counted = { since, answer: countAfter(), until: Number.POSITIVE_INFINITY }
    return counted

    /** One after the other. */
    async function countAfter(): Promise<StatisticsShape> {
      await before
      const beganAt = clock.now()
      try {
        return await statisticsWithTitles(since ?? beganAt - 7 * DAY, seen)
      } finally {
        counted.until = clock.now() + KEPT_FOR * (clock.now() - beganAt)
      }
    }
  }

  app.openapi(OPERATIONS.getStatistics, async (c) => {
    const { since } = c.req.valid('query')
    const [{ personId, reach }, seen] = [await visibilityOf(c, parts), await visibleParts(c, parts)]
    const whose = reach === 'everything' ? reach : `${reach} ${personId}`
    let counted = kept.get(whose)
    if (!counted || counted.since !== since || counted.until <= clock.now()) {
      counted = count(since, seen)
      last = counted
      kept.delete(whose)
      kept.set(whose, counted)
      for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest)
    }
    return c.json(await counted.answer, 200)
  })
  return app
}

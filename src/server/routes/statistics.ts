/** `/api/statistics`: what was said since some date, by feed and hour of the day, and how much of it had been said before. */
import { Hono } from 'hono'
import { DAY } from '../../model/index.ts'
import { namedStatistics } from '../find-groups.ts'
import { date, readQuery } from '../parameters.ts'
import type { ServerParts } from '../server.ts'

export function statisticsRoutes({ store, clock }: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { since = clock.now() - 7 * DAY } = readQuery(c, { since: date })
    return c.json(await namedStatistics(since, store))
  })
  return app
}

/** `/api/polls`: the log of what we did to the feeds' servers, newest first. */
import { Hono } from 'hono'
import type { FeedId } from '../../model/index.ts'
import { pollShape } from '../../views/index.ts'
import { date, idNumber, readQuery, wholeNumber } from '../parameters.ts'
import type { ServerParts } from '../server-parts.ts'

export function pollRoutes({ catalogue }: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const {
      feed,
      limit = 50,
      ...filters
    } = readQuery(c, {
      feed: idNumber,
      since: date,
      offset: wholeNumber(0, 100_000_000),
      limit: wholeNumber(1, 1000),
    })
    const polls = await catalogue.polls({
      ...filters,
      ...(feed !== undefined && { feedId: feed as FeedId }),
      limit: limit + 1,
    })
    return c.json({ polls: polls.slice(0, limit).map(pollShape), more: polls.length > limit })
  })
  return app
}

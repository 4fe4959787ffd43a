/** The status of a crawl, on one screen. */
import type { StatusShape } from '../api/index.ts'
import type { Crawler } from '../crawl/index.ts'
import type { Catalogue, Clock, Library, MarketBook } from '../ports/index.ts'
import { pollsToday } from '../scheduling/index.ts'
import { budgetInForce } from './budget.ts'
import { feedShape } from './shapes/feed.ts'
import { activityShape, hostShape } from './shapes/status.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

const NEXT_FEEDS = 10
const MOST_HOSTS = 50

/** It costs the same however much is stored, so a page may ask often. */
export async function statusOfCrawl({
  catalogue,
  marketBook,
  clock,
  crawler,
  version,
  library,
  pollsPerDay: configured,
}: {
  catalogue: Catalogue
  marketBook: MarketBook
  clock: Clock
  crawler: Pick<Crawler, 'activity'>
  version: string
  library?: Pick<Library, 'health'>
  pollsPerDay?: number | 'auto'
}): Promise<StatusShape> {
  const now = clock.now()
  const market = await marketBook.market()
  const pollsPerDay = await budgetInForce(marketBook, configured)
  const budget = {
    pollsPerDay,
    ...omitUndefined({ priceMs: market?.price, spentToday: market && pollsToday(market, now) }),
  }
  const [counts, next, { hosts, all }] = await Promise.all([
    catalogue.counts(),
    catalogue.feeds({ order: 'due', limit: NEXT_FEEDS }),
    catalogue.restingHosts(now, MOST_HOSTS),
  ])
  return {
    version,
    now: isoDate(now),
    counts,
    activity: activityShape(crawler.activity()),
    budget,
    next: next.map((feed) => feedShape(feed)),
    resting: hosts.map(hostShape),
    restingCount: all,
    ...(library && { library: await library.health() }),
  }
}

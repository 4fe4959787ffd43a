/** The status of a crawl. */
import type { StatusShape } from '../api/index.ts'
import type { Crawler } from '../crawl/index.ts'
import type { Catalogue, Clock, ContentStore, PollMarket } from '../ports/index.ts'
import { pollsToday } from '../scheduling/index.ts'
import { budgetInForce } from './budget.ts'
import { feedShape } from './shapes/feed.ts'
import { activityShape, hostShape } from './shapes/status.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

const NEXT_FEEDS = 10
const MAX_HOSTS = 50

/** Its cost does not depend on the size of the store, so the page may poll it. */
export async function statusOfCrawl({
  catalogue,
  pollMarket,
  clock,
  crawler,
  version,
  contentStore,
  pollsPerDay: configured,
}: {
  catalogue: Catalogue
  pollMarket: PollMarket
  clock: Clock
  crawler: Pick<Crawler, 'activity'>
  version: string
  contentStore?: Pick<ContentStore, 'health'>
  pollsPerDay?: number | 'auto'
}): Promise<StatusShape> {
  const now = clock.now()
  const market = await pollMarket.market()
  const pollsPerDay = await budgetInForce(pollMarket, configured)
  const budget = {
    pollsPerDay,
    ...omitUndefined({ priceMs: market?.price, spentToday: market && pollsToday(market, now) }),
  }
  const [counts, next, { hosts, all }] = await Promise.all([
    catalogue.counts(),
    catalogue.feeds({ order: 'due', limit: NEXT_FEEDS }),
    catalogue.restingHosts(now, MAX_HOSTS),
  ])
  return {
    version,
    now: isoDate(now),
    counts,
    activity: activityShape(crawler.activity()),
    budget,
    next: next.map((feed) => feedShape(feed)),
    backingOff: hosts.map(hostShape),
    backingOffCount: all,
    ...(contentStore && { contentStore: await contentStore.health() }),
  }
}

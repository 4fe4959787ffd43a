/** How it stands, on one screen: the crawl that runs, or the store that somebody looks into. */
import type { GlanceShape, StatusShape, StoreStatusShape } from '../api/index.ts'
import type { Crawler } from '../crawl/index.ts'
import type { Instant } from '../model/index.ts'
import { pollsToday } from '../polling/index.ts'
import type { Catalogue, Clock, Library, MarketBook } from '../ports/index.ts'
import { budgetInForce } from './budget.ts'
import { feedShape } from './shapes/feed.ts'
import { iso, present } from './shapes/present.ts'
import { sourceShape } from './shapes/source.ts'
import { activityShape, hostShape } from './shapes/status.ts'

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
  const budget = { pollsPerDay, ...present({ priceMs: market?.price, spentToday: market && pollsToday(market, now) }) }
  const { counts, ...glance } = await glanceAt(catalogue, now, { feeds: NEXT_FEEDS, hosts: MOST_HOSTS })
  const beside = await healthOf(library)
  return { version, now: iso(now), counts, activity: activityShape(crawler.activity()), budget, ...glance, ...beside }
}

async function healthOf(library: Pick<Library, 'health'> | undefined): Promise<Pick<GlanceShape, 'library'>> {
  return library ? { library: await library.health() } : {}
}

/** Looks through the whole store. Of each list there are `most` at most. */
export async function statusOfStore(
  { catalogue, library }: { catalogue: Catalogue; library?: Pick<Library, 'health'> },
  now: Instant,
  most: number,
): Promise<StoreStatusShape> {
  const [{ counts, next, ...resting }, room, troubled, looking] = await Promise.all([
    glanceAt(catalogue, now, { feeds: most, hosts: most }),
    catalogue.diskUsage(),
    catalogue.feeds({ order: 'id', troubled: true, limit: most }),
    catalogue.sources({ state: 'looking', limit: most }),
  ])
  return {
    counts,
    room,
    next,
    troubled: troubled.map((feed) => feedShape(feed)),
    looking: looking.map(sourceShape),
    ...resting,
    ...(await healthOf(library)),
  }
}

async function glanceAt(
  catalogue: Catalogue,
  now: Instant,
  most: { feeds: number; hosts: number },
): Promise<GlanceShape> {
  const [counts, next, { hosts, all }] = await Promise.all([
    catalogue.counts(),
    catalogue.feeds({ order: 'due', limit: most.feeds }),
    catalogue.restingHosts(now, most.hosts),
  ])
  return { counts, next: next.map((feed) => feedShape(feed)), resting: hosts.map(hostShape), restingCount: all }
}

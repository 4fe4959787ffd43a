/**
 * The village: a small simulated web for tests, the lab and the demo. It has newspapers, diaries, a forum and a
 * weather station, and everything that makes crawling difficult: servers that lie, pause, move, break off or never
 * end.
 *
 * Its whole past and future follow from a seed, and its time is the given clock, so it can be used in memory for
 * simulated months (`net`) or over real sockets (`listen`); both give the same responses at the same time. Tests can
 * also change it: `site('gazette').publish()`, `.addFault()`, `.move()`.
 */
import type { Instant } from '../../model/index.ts'
import type { Clock, Net } from '../../ports/index.ts'
import { findSite, villageAnswer } from './answer.ts'
import { type Draft, heal, moveFeed, publish, revise } from './change-village.ts'
import { DEFAULT_SITES } from './default-sites.ts'
import type { Post } from './history.ts'
import { createHub, type VillageHub } from './hub.ts'
import { createMemoryNet } from './memory-net.ts'
import type { Reply, VillageRequest } from './reply.ts'
import { openVillageSocket, type VillageSocket } from './sockets.ts'
import type { Fault, FeedSpec, SiteSpec } from './spec.ts'
import { createVillageState, type VillageSiteState } from './town.ts'

export interface VillageOptions {
  clock: Clock
  seed?: number
  sites?: readonly SiteSpec[]
}

export interface Village {
  readonly sites: VillageSite[]
  /** Throws if there is no site of that name. */
  site(name: string): VillageSite
  /** The response to a request at a time; undefined if there is no such host. */
  answer(request: VillageRequest, at: Instant): Reply | undefined
  /** Access without sockets: every response is immediate. */
  net(): Net
  /** Serves the village on loopback. Afterwards, `sites` return addresses with that port. */
  listen(options?: { port?: number; host?: string }): Promise<VillageSocket>
  /** The hub that pushes feeds which declare it. */
  readonly hub: VillageHub
  /** Requests through `net` and `listen`, oldest first; limited to the latest. */
  readonly requests: LoggedRequest[]
}

export interface LoggedRequest extends VillageRequest {
  at: Instant
  /** 0: no such host. */
  status: number
}

export interface VillageSite {
  readonly name: string
  readonly title: string
  /** A description, if there is one. */
  readonly shows: string | undefined
  /** Address of its home page. */
  readonly home: string
  readonly feeds: VillageFeed[]
  /** What it published after `after` up to `upTo`, oldest first: the reference for crawlers. */
  published(after: Instant, upTo: Instant): Post[]
  /** Publishes something now. */
  publish(draft?: Draft): Post
  /** From now on, a post published by a test has another title. */
  revise(post: Post, title: string): void
  /** From now on, for the whole site or one path, until a time or until `heal`. */
  addFault(trouble: Fault, scope?: { path?: string; untilAt?: Instant }): void
  /** Ends all its faults, including those of its specification; or those of one path. */
  heal(path?: string): void
  /** From now on, the feed is at another path of the site, and the old one redirects there. */
  move(from: string, to: string, status?: 301 | 302 | 303 | 307 | 308): void
}

export interface VillageFeed extends FeedSpec {
  readonly url: string
}

const MAX_LOGGED_REQUESTS = 10_000

export function createVillage({ clock, seed = 1, sites: specs = DEFAULT_SITES }: VillageOptions): Village {
  const town = createVillageState(specs, seed)
  const requests: LoggedRequest[] = []
  let port = ''
  const { hub, answer: hubAnswer } = createHub(clock, (url) =>
    villageAnswer(town, { method: 'GET', url, headers: {} }, clock.now()),
  )

  function visit(request: VillageRequest): Reply | undefined {
    const at = clock.now()
    const reply = hubAnswer(request) ?? villageAnswer(town, request, at)
    requests.push({ ...request, at, status: reply?.status ?? 0 })
    if (requests.length > MAX_LOGGED_REQUESTS) requests.splice(0, requests.length - MAX_LOGGED_REQUESTS)
    return reply
  }

  function viewOf(site: VillageSiteState): VillageSite {
    return {
      name: site.name,
      title: site.title,
      shows: site.spec.shows,
      home: findSite(site.name, port),
      feeds: site.feeds.map((feed) => ({ ...feed, url: findSite(feed.on ?? site.name, port) + feed.path.slice(1) })),
      published: site.posts.between,
      publish: (draft = {}) => publish(site, draft, clock.now()),
      revise: (post, title) => revise(site, post, title, clock.now()),
      addFault: (fault, { path, untilAt = Number.POSITIVE_INFINITY } = {}) => {
        site.faults.push({ fault, fromAt: clock.now(), untilAt, ...(path && { path }) })
      },
      heal: (path) => heal(site, path, clock.now()),
      move: (from, to, status = 301) => moveFeed(site, from, to, status, clock.now()),
    }
  }

  return {
    get sites() {
      return specs.map((spec) => viewOf(town.sites.get(spec.name)!))
    },
    site(name) {
      const site = town.sites.get(name)
      if (!site) throw new Error(`the village has no site named ${name}`)
      return viewOf(site)
    },
    answer: (request, at) => villageAnswer(town, request, at),
    net: () => createMemoryNet(visit),
    async listen(options = {}) {
      const listening = await openVillageSocket(visit, options)
      port = String(listening.port)
      return listening
    },
    hub,
    requests,
  }
}

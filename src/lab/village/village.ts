/**
 * The village: a small web that lives inside the program, for tests, the lab and the demo. It has newspapers, diaries, a
 * forum and a weathercock, and everything that makes crawling hard: servers that lie, rest, move, break off or never stop.
 *
 * Its whole past and future follow from a seed, and its time is the clock it was given, so it can be visited in memory for
 * simulated months (`net`) or over real sockets (`listen`); both give the same answers at the same time. A test may also
 * change the world by hand: `site('gazette').publish()`, `.trouble()`, `.move()`.
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
import type { FeedSpec, SiteSpec, Trouble } from './spec.ts'
import { createVillageState, type VillageSiteState } from './town.ts'

export interface VillageOptions {
  clock: Clock
  seed?: number
  sites?: readonly SiteSpec[]
}

export interface Village {
  readonly sites: VillageSite[]
  /** Throws if there is none of that name. */
  site(name: string): VillageSite
  /** What is said to that request at that time; undefined if there is no such host. */
  answer(request: VillageRequest, at: Instant): Reply | undefined
  /** The way into the village without sockets: every answer is there at once. */
  net(): Net
  /** Opens the village to the machine's own programs. After that, `sites` give addresses with that port. */
  listen(options?: { port?: number; host?: string }): Promise<VillageSocket>
  /** Where feeds that name it are pushed from. */
  readonly hub: VillageHub
  /** What was asked through `net` and `listen`, oldest first; only so many are kept. */
  readonly requests: LoggedRequest[]
}

export interface LoggedRequest extends VillageRequest {
  at: Instant
  /** 0: there was no such host. */
  status: number
}

export interface VillageSite {
  readonly name: string
  readonly title: string
  /** What there is to see here: half a sentence, if somebody wrote one. */
  readonly shows: string | undefined
  /** The address of its home page. */
  readonly home: string
  readonly feeds: VillageFeed[]
  /** What it truly published after `after` and up to `upTo`, oldest first: what a crawler is measured against. */
  published(after: Instant, upTo: Instant): Post[]
  /** Publishes something now. */
  publish(draft?: Draft): Post
  /** From now on a post that was published by hand has another title. */
  revise(post: Post, title: string): void
  /** From now on, for the whole site or for one path, until a time or until it is healed. */
  trouble(trouble: Trouble, scope?: { path?: string; untilAt?: Instant }): void
  /** Ends all its troubles, those it was built with too; or those of one path. */
  heal(path?: string): void
  /** From now on the feed stands at another path of the site, and the old one redirects there. */
  move(from: string, to: string, status?: 301 | 302 | 303 | 307 | 308): void
}

export interface VillageFeed extends FeedSpec {
  readonly url: string
}

const KEPT_REQUESTS = 10_000

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
    if (requests.length > KEPT_REQUESTS) requests.splice(0, requests.length - KEPT_REQUESTS)
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
      trouble: (trouble, { path, untilAt = Number.POSITIVE_INFINITY } = {}) => {
        site.troubles.push({ trouble, fromAt: clock.now(), untilAt, ...(path && { path }) })
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

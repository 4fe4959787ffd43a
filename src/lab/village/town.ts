/** The village as it stands: its sites, their histories, and what is wrong with them at which time. */
import { DAY, type Instant } from '../../model/index.ts'
import { createComments, createHistory, type Post, type SiteHistory } from './history.ts'
import type { FeedSpec, SiteSpec, Trouble } from './spec.ts'
import type { StoryGenerator } from './story-generator.ts'

export interface VillageState {
  sites: Map<string, VillageSiteState>
}

export interface VillageSiteState {
  name: string
  spec: SiteSpec
  title: string
  teller: StoryGenerator
  feeds: FeedSpec[]
  posts: SiteHistory
  comments: SiteHistory
  /** Published by a test, in ascending order. */
  byHand: Post[]
  /** The last one that holds is the one that shows. */
  troubles: TimedTrouble[]
}

export interface TimedTrouble {
  trouble: Trouble
  /** Absent: the whole site has it. */
  path?: string
  fromAt: Instant
  untilAt: Instant
}

export function createVillageState(specs: readonly SiteSpec[], seed: number): VillageState {
  const town: VillageState = { sites: new Map() }
  // Those that copy need the history of their source, so the others are built first.
  for (const spec of [...specs].sort((a, b) => Number(!!a.copies) - Number(!!b.copies))) {
    if (town.sites.has(spec.name)) throw new Error(`the village has two sites named ${spec.name}`)
    town.sites.set(spec.name, createSite(spec, seed, town))
  }
  return town
}

/** A feed and the site it belongs to, by where it is served. */
export function feedAt(
  town: VillageState,
  name: string,
  path: string,
): { site: VillageSiteState; feed: FeedSpec } | undefined {
  for (const site of town.sites.values()) {
    const feed = site.feeds.find((feed) => (feed.on ?? site.name) === name && feed.path === path)
    if (feed) return { site, feed }
  }
  return undefined
}

export function troubleAt(site: VillageSiteState, path: string, at: Instant): Trouble | undefined {
  return site.troubles.findLast((timed) => (timed.path ?? path) === path && timed.fromAt <= at && at < timed.untilAt)
    ?.trouble
}

function createSite(spec: SiteSpec, seed: number, town: VillageState): VillageSiteState {
  const { name, title = `The ${name}`, feeds = [{ path: '/feed.xml' }] } = spec
  const { language = 'en', voice = 'news', dayMs = DAY } = spec
  const teller = { language, voice, dayMs }
  const source = spec.copies && town.sites.get(spec.copies.of)
  if (spec.copies && (!source || source.spec.copies)) {
    throw new Error(`${name} copies ${spec.copies.of}, which must be a site of the village that does not copy itself`)
  }
  const byHand: Post[] = []
  const newsroom = { spec, teller, seed, byHand }
  const posts = createHistory(
    source ? { ...newsroom, source: { title: source.title, history: source.posts } } : newsroom,
  )
  const fromAt = Number.NEGATIVE_INFINITY
  const untilAt = Number.POSITIVE_INFINITY
  const troubles: TimedTrouble[] = spec.trouble ? [{ trouble: spec.trouble, fromAt, untilAt }] : []
  for (const { path, trouble } of feeds) if (trouble) troubles.push({ trouble, path, fromAt, untilAt })
  return {
    name,
    spec,
    title,
    teller,
    feeds: [...feeds],
    posts,
    comments: createComments(posts, newsroom),
    byHand,
    troubles,
  }
}

/** The state of the village: its sites, their histories and their faults over time. */
import { DAY, type Instant } from '../../model/index.ts'
import { createComments, createHistory, type Post, type SiteHistory } from './history.ts'
import type { Fault, FeedSpec, SiteSpec } from './spec.ts'
import type { StoryGenerator } from './story-generator.ts'

export interface VillageState {
  sites: Map<string, VillageSiteState>
}

export interface VillageSiteState {
  name: string
  spec: SiteSpec
  title: string
  storyGenerator: StoryGenerator
  feeds: FeedSpec[]
  posts: SiteHistory
  comments: SiteHistory
  /** Published by tests, ascending. */
  addedPosts: Post[]
  /** The last matching one applies. */
  faults: TimedFault[]
}

export interface TimedFault {
  fault: Fault
  /** Absent: the whole site. */
  path?: string
  fromAt: Instant
  untilAt: Instant
}

export function createVillageState(specs: readonly SiteSpec[], seed: number): VillageState {
  const town: VillageState = { sites: new Map() }
  // Sites that copy need the history of their source, so the others are created first.
  for (const spec of [...specs].sort((a, b) => Number(!!a.copies) - Number(!!b.copies))) {
    if (town.sites.has(spec.name)) throw new Error(`the village has two sites named ${spec.name}`)
    town.sites.set(spec.name, createSite(spec, seed, town))
  }
  return town
}

/** A feed and its site, by its address. */
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

export function faultAt(site: VillageSiteState, path: string, at: Instant): Fault | undefined {
  return site.faults.findLast((timed) => (timed.path ?? path) === path && timed.fromAt <= at && at < timed.untilAt)
    ?.fault
}

function createSite(spec: SiteSpec, seed: number, town: VillageState): VillageSiteState {
  const { name, title = `The ${name}`, feeds = [{ path: '/feed.xml' }] } = spec
  const { language = 'en', voice = 'news', dayMs = DAY } = spec
  const storyGenerator = { language, voice, dayMs }
  const source = spec.copies && town.sites.get(spec.copies.of)
  if (spec.copies && (!source || source.spec.copies)) {
    throw new Error(`${name} copies ${spec.copies.of}, which must be a site of the village that does not copy itself`)
  }
  const addedPosts: Post[] = []
  const newsroom = { spec, storyGenerator, seed, addedPosts }
  const posts = createHistory(
    source ? { ...newsroom, source: { title: source.title, history: source.posts } } : newsroom,
  )
  const fromAt = Number.NEGATIVE_INFINITY
  const untilAt = Number.POSITIVE_INFINITY
  const faults: TimedFault[] = spec.fault ? [{ fault: spec.fault, fromAt, untilAt }] : []
  for (const { path, fault } of feeds) if (fault) faults.push({ fault, path, fromAt, untilAt })
  return {
    name,
    spec,
    title,
    storyGenerator,
    feeds: [...feeds],
    posts,
    comments: createComments(posts, newsroom),
    addedPosts,
    faults,
  }
}

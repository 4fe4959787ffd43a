/** How it stands as our JSON has it: of a crawl that runs, and of a store that somebody looks into. */
import type { Activity } from '../../crawl/index.ts'
import type { Host, Task } from '../../model/index.ts'
import type { Counts, DiskUsage } from '../../ports/index.ts'
import type { FeedShape } from './feed.ts'
import { iso, present } from './present.ts'
import type { SourceShape } from './source.ts'
import { type TroubleShape, troubleShape } from './trouble.ts'

export interface HostShape {
  root: string
  notBeforeAt: string
  strikes: number
  trouble?: TroubleShape
}

/** What takes how much of the store, in bytes. */
export type DiskUsageShape = DiskUsage

export interface GlanceShape {
  counts: Counts
  /** The feeds that are polled next. */
  next: FeedShape[]
  /** Hosts that asked for patience and are left alone meanwhile, those that wake first before the others; at most a few dozen. */
  resting: HostShape[]
  /** How many there are in all. */
  restingCount: number
}

export interface StatusShape extends GlanceShape {
  version: string
  /** By the crawl's clock, which in a demonstration is not the reader's. */
  now: string
  activity: ActivityShape
}

export interface ActivityShape {
  startedAt: string
  underWay: number
  /** The longest under way first; at most a few dozen. */
  tasks: { kind: Task['kind']; url: string; since: string }[]
  totals: Activity['totals']
  /** The latest mistakes of ours, newest first. */
  mistakes: { at: string; words: string }[]
}

export interface StoreStatusShape extends GlanceShape {
  room: DiskUsageShape
  /** Feeds whose last poll failed. */
  troubled: FeedShape[]
  /** Addresses whose feed is looked for. */
  looking: SourceShape[]
}

const MOST_TASKS = 50

export function activityShape({ startedAt, underWay, totals, mistakes }: Activity): ActivityShape {
  const tasks = underWay.toSorted((a, b) => a.sinceAt - b.sinceAt).slice(0, MOST_TASKS)
  return {
    startedAt: iso(startedAt),
    underWay: underWay.length,
    tasks: tasks.map(({ kind, url, sinceAt }) => ({ kind, url, since: iso(sinceAt) })),
    totals,
    mistakes: mistakes.map(({ at, words }) => ({ at: iso(at), words })),
  }
}

export function hostShape({ root, notBeforeAt, strikes, trouble }: Host): HostShape {
  return { root, notBeforeAt: iso(notBeforeAt), strikes, ...present({ trouble: troubleShape(trouble) }) }
}

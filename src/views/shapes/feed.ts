/** A feed as our JSON has it, with its schedule and the hub that tells of its news. */
import {
  type FeedFormat,
  type FeedState,
  type Instant,
  type PagePreference,
  type Push,
  type PushStanding,
  pushStanding,
  type ScheduledFeed,
  type Wants,
} from '../../model/index.ts'
import type { Why } from '../../polling/index.ts'
import { iso, isoIfAny, present } from './present.ts'
import { type TroubleShape, troubleShape } from './trouble.ts'

export interface FeedShape {
  id: number
  url: string
  /** It is read with a name and password, which are never told. */
  hasLogin?: true
  title: string
  description?: string
  siteUrl?: string
  language?: string
  category?: string
  format?: FeedFormat
  folder?: string
  /** Taken off the front of its entries' titles. */
  titlePrefix?: string
  /** What it puts before or behind most of its headlines, as was learnt from them; shown without it. On its own only. */
  titleLabels?: string[]
  /** Whether its entries' pages are fetched, where a person said so. */
  articles?: PagePreference
  /** What a person wants of its polls. */
  wants?: Wants
  state: FeedState
  subscribers: number
  addedAt: string
  /** When entries may last have been missed: nothing in the feed was known. */
  gapAt?: string
  /** This may be its successor: its site has it, or its redirects lead there, where another feed is. */
  successorUrl?: string
  schedule: {
    strategy: string
    /** Absent when it will not be polled: it is paused or gone. */
    dueAt?: string
    polledAt?: string
    succeededAt?: string
    failures: number
    /** Why then; where one feed is asked for. */
    why?: Why
  }
  trouble?: TroubleShape
  /** The hub that tells us of its news, if it names one and hubs can reach us. */
  push?: PushShape
}

export interface PushShape {
  hub: string
  /** relied: its news is pushed, and it is polled only to be safe. All others are polled as usual. */
  state: PushStanding
  /** How many pushes came, and when the last of them did. */
  pushes: number
  pushedAt?: string
  leaseUntil?: string
  /** When a poll last found something that should have been pushed. */
  missedAt?: string
  trouble?: TroubleShape
}

export function feedShape({ feed, schedule }: ScheduledFeed, why?: Why): FeedShape {
  const { id, url, title, description, siteUrl, language, category, format, folder, titlePrefix } = feed
  const { articles, state, subscribers, wants } = feed
  const hasLogin = feed.credentials ? (true as const) : undefined
  return {
    id,
    url,
    title,
    ...present({ description, siteUrl, language, category, format, folder, titlePrefix, articles, wants, hasLogin }),
    state,
    subscribers,
    addedAt: iso(feed.addedAt),
    ...present({ gapAt: isoIfAny(feed.gapAt), successorUrl: feed.successorUrl }),
    schedule: {
      strategy: schedule.strategy,
      ...present({
        dueAt: state === 'active' ? isoIfAny(schedule.dueAt) : undefined,
        polledAt: isoIfAny(schedule.polledAt),
        succeededAt: isoIfAny(schedule.succeededAt),
      }),
      failures: schedule.failures,
      ...present({ why }),
    },
    ...present({ trouble: troubleShape(schedule.trouble) }),
  }
}

export function pushedFeedShape(scheduled: ScheduledFeed, push: Push | undefined, now: Instant, why?: Why): FeedShape {
  return { ...feedShape(scheduled, why), ...(push && { push: pushShape(push, now) }) }
}

/** Neither the secret nor the address that the hub was given: who has those can speak for it. */
function pushShape(push: Push, now: Instant): PushShape {
  const { hub, pushes, pushedAt, leaseUntil, missedAt, trouble } = push
  return {
    hub,
    state: pushStanding(push, now),
    pushes,
    ...present({
      pushedAt: isoIfAny(pushedAt),
      leaseUntil: isoIfAny(leaseUntil),
      missedAt: isoIfAny(missedAt),
      trouble: troubleShape(trouble),
    }),
  }
}

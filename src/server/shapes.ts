/**
 * The JSON that we show. It is stable: dates are ISO 8601 in UTC, ids are numbers, what is absent is left out, and
 * whatever went wrong has its `kind` for programs and its `words` for people. The model may change behind it; the API,
 * the page and the command line's --json all speak these shapes.
 */
import { categoryOf, sanitise } from '../articles/index.ts'
import type { Activity } from '../crawl/index.ts'
import { plainText } from '../feeds/index.ts'
import {
  type Entry,
  type EntryVersion,
  type FeedFormat,
  type FeedState,
  type Group,
  type Host,
  type Instant,
  type PagePreference,
  type Poll,
  type Push,
  type PushStanding,
  pushStanding,
  type Sameness,
  type ScheduledFeed,
  type Source,
  type Task,
  type Wants,
} from '../model/index.ts'
import type { Why } from '../polling/index.ts'
import type { Counts, DiskUsage } from '../ports/index.ts'
import type { EntryArticleShape } from './entry-article.ts'
import { iso, isoIfAny, present } from './present.ts'
import { type TroubleShape, troubleShape } from './trouble-shape.ts'

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

export interface EntryShape {
  id: number
  feedId: number
  feedTitle?: string
  url?: string
  title: string
  author?: string
  publishedAt?: string
  updatedAt?: string
  /** The feed gives a day and no time of day. */
  dateOnly?: true
  /** The feed's date could not be: it lay ahead, and is now when we saw it; or it was never set, and was left out. */
  dateFault?: 'future' | 'ancient'
  /** Of its text, as far as that tells; "en" where nobody knows. */
  language: string
  category: string
  seenAt: string
  changedAt?: string
  /** The entry that speaks for it, if it is a copy; and how many entries say the same besides this one. */
  copyOf?: number
  copies?: number
}

/** `summary` and `content` are the feed's HTML, made safe for a browser. */
export interface WholeEntryShape extends EntryShape {
  summary?: string
  content?: string
  /** The content, else the summary, without its markup. */
  text?: string
  /** The page that it points at, where that was wanted. */
  article?: EntryArticleShape
  /** What it said before, oldest first. */
  versions?: { title: string; url?: string; until: string }[]
}

export interface PollShape {
  feedId: number
  at: string
  tookMs: number
  bytes: number
  /** We asked only for what is new. */
  conditional: boolean
  /** Why not, where that was right. */
  unconditionalFor?: 'no-validators' | 'audit' | 'lies'
  /** Why it was made, where it was not due by itself. */
  occasion?: 'hand' | 'page' | 'seek'
  /** Until when the answer asked us to stay away. */
  restUntil?: string
  result:
    | { kind: 'read'; fresh: number; changed: number; window: number; gap: boolean }
    | { kind: 'not-modified'; by: Sameness }
    | { kind: 'failed'; trouble: TroubleShape }
}

export interface SourceShape {
  id: number
  url: string
  hasLogin?: true
  folder?: string
  state: Source['state']
  feedId?: number
  /** Further feeds of the site, best first. */
  others?: string[]
  addedAt: string
  /** Absent once its feed is found. */
  dueAt?: string
  failures: number
  trouble?: TroubleShape
}

export interface HostShape {
  root: string
  notBeforeAt: string
  strikes: number
  trouble?: TroubleShape
}

export type SubscriptionShape =
  | { kind: 'feed'; url: string; feedId: number; added: boolean }
  | { kind: 'source'; url: string; sourceId: number; added: boolean }
  | { kind: 'refused'; url: string; reason: string }

/** What takes how much of the store, in bytes. */
export type DiskUsageShape = DiskUsage

export interface StatusShape {
  version: string
  /** By the crawl's clock, which in a demonstration is not the reader's. */
  now: string
  counts: Counts
  activity: {
    startedAt: string
    underWay: number
    /** The longest under way first; at most a few dozen. */
    tasks: { kind: Task['kind']; url: string; since: string }[]
    totals: Activity['totals']
    /** The latest mistakes of ours, newest first. */
    mistakes: { at: string; words: string }[]
  }
  /** The feeds that are polled next. */
  next: FeedShape[]
  /** Hosts that asked for patience and are left alone meanwhile, those that wake first before the others; at most a few dozen. */
  resting: HostShape[]
  /** How many there are in all. */
  restingCount: number
}

/** What nobody knows (Adam et al. 2009). */
const ENGLISH = 'en'
const UNCATEGORIZED = categoryOf([], []).value

const MOST_TASKS = 50

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

/** `copies`: the group of copies that it belongs to. */
export function entryShape(entry: Entry, feedTitle?: string, copies?: Group): EntryShape {
  return {
    id: entry.id,
    feedId: entry.feedId,
    ...present({ feedTitle, url: entry.url }),
    title: entry.title,
    ...present({
      author: entry.author,
      publishedAt: isoIfAny(entry.publishedAt),
      updatedAt: isoIfAny(entry.updatedAt),
      dateOnly: entry.dateOnly,
      dateFault: entry.dateFault,
    }),
    language: entry.language ?? ENGLISH,
    category: entry.category ?? UNCATEGORIZED,
    seenAt: iso(entry.seenAt),
    ...present({ changedAt: isoIfAny(entry.changedAt) }),
    ...(copies && copies.primaryId !== entry.id && { copyOf: copies.primaryId }),
    ...(copies && { copies: copies.size - 1 }),
  }
}

export function wholeEntryShape(
  entry: Entry,
  {
    feedTitle,
    versions = [],
    article,
    copies,
  }: {
    feedTitle?: string | undefined
    versions?: EntryVersion[]
    article?: EntryArticleShape | undefined
    copies?: Group | undefined
  } = {},
): WholeEntryShape {
  const safe = (html: string | undefined) => html && sanitise(html, entry.url)
  return {
    ...entryShape(entry, feedTitle, copies),
    ...present({
      summary: safe(entry.summary),
      content: safe(entry.content),
      text: plainText(entry.content ?? entry.summary ?? '') || undefined,
      article,
    }),
    ...(versions.length > 0 && { versions: versions.map((version) => ({ ...version, until: iso(version.until) })) }),
  }
}

export function pollShape({
  feedId,
  at,
  tookMs,
  bytes,
  conditional,
  unconditionalFor,
  occasion,
  restUntil,
  result,
}: Poll): PollShape {
  return {
    feedId,
    at: iso(at),
    tookMs,
    bytes,
    conditional,
    ...present({ unconditionalFor, occasion, restUntil: isoIfAny(restUntil) }),
    result: result.kind === 'failed' ? { kind: 'failed', trouble: troubleShape(result.failure) } : result,
  }
}

export function sourceShape(source: Source): SourceShape {
  const { id, url, folder, state, feedId, others, failures } = source
  const hasLogin = source.credentials ? (true as const) : undefined
  return {
    id,
    url,
    ...present({ folder, hasLogin }),
    state,
    ...present({ feedId, others }),
    addedAt: iso(source.addedAt),
    ...present({ dueAt: state === 'looking' ? isoIfAny(source.dueAt) : undefined }),
    failures,
    ...present({ trouble: troubleShape(source.trouble) }),
  }
}

export function statusShape(status: {
  version: string
  now: Instant
  counts: Counts
  activity: Activity
  next: ScheduledFeed[]
  resting: { hosts: Host[]; all: number }
}): StatusShape {
  const { version, now, counts, activity, next, resting } = status
  const tasks = activity.underWay.toSorted((a, b) => a.sinceAt - b.sinceAt).slice(0, MOST_TASKS)
  return {
    version,
    now: iso(now),
    counts,
    activity: {
      startedAt: iso(activity.startedAt),
      underWay: activity.underWay.length,
      tasks: tasks.map(({ kind, url, sinceAt }) => ({ kind, url, since: iso(sinceAt) })),
      totals: activity.totals,
      mistakes: activity.mistakes.map(({ at, words }) => ({ at: iso(at), words })),
    },
    next: next.map((feed) => feedShape(feed)),
    resting: resting.hosts.map(hostShape),
    restingCount: resting.all,
  }
}

function hostShape({ root, notBeforeAt, strikes, trouble }: Host): HostShape {
  return { root, notBeforeAt: iso(notBeforeAt), strikes, ...present({ trouble: troubleShape(trouble) }) }
}

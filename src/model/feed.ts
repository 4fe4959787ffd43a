/** Feeds, their entries and their schedules. */
import type { WebAddress } from './address.ts'
import type { Bucket } from './bucket.ts'
import type { FeedCredentials } from './credentials.ts'
import type { Failure } from './failure.ts'
import type { FetchSettings } from './fetch-settings.ts'
import type { EntryExtras } from './media.ts'
import type { Instant, Millis } from './time.ts'

/** Ids are branded, so that an entry's id cannot be passed where a feed's is expected. */
export type FeedId = number & { readonly of: 'feed' }
export type EntryId = number & { readonly of: 'entry' }

export type FeedFormat = 'rss' | 'atom' | 'rdf' | 'json' | 'cdf' | 'sitemap'

/** Sent back byte for byte, so that the server can answer "304 Not Modified". */
export interface Validators {
  etag?: string
  lastModified?: string
}

/** What a feed document says about the feed. */
export interface FeedFacts {
  format: FeedFormat
  title?: string
  description?: string
  siteUrl?: WebAddress
  language?: string
  /** The WebSub hub, and the topic's address. */
  hub?: WebAddress
  selfUrl?: WebAddress
  /** The publisher's own category terms. */
  terms?: string[]
  /** When the document was last built, as it states. */
  builtAt?: Instant
  /** Fragments in its links. shared: one common fragment, which was removed. apart: different ones, which distinguish entries. */
  fragments?: FragmentHabit
}

export type FragmentHabit = 'shared' | 'apart'

/** How a feed was found: at the given address, by a link of some kind on the page, by probing a likely path, or as a sitemap. */
export type FoundBy = 'address' | 'host-rule' | 'link-header' | 'link' | 'anchor' | 'body' | 'probe' | 'sitemap'

/** active: polled when due. paused: by a user. gone: the server answered 410 repeatedly. */
export type FeedState = 'active' | 'paused' | 'gone'

/** Whether to fetch its entries' pages. auto: where the feed does not contain the full text. */
export type ArticlePreference = 'auto' | 'always' | 'never'

export interface Feed {
  readonly id: FeedId
  url: WebAddress
  root: string
  title: string
  description?: string
  siteUrl?: WebAddress
  language?: string
  /** From a fixed list; absent if the publisher gives none. */
  category?: string
  /** Set by a user; takes precedence over the publisher's. */
  ownCategory?: string
  /** A unique short name set by a user. */
  name?: string
  /** When the document was last built, as it states. */
  builtAt?: Instant
  foundBy?: FoundBy
  fragments?: FragmentHabit
  hub?: WebAddress
  format?: FeedFormat
  /** An OPML folder; nested folders are joined by " / ". */
  folder?: string
  /** The credentials of a private feed; sent only to the origin of its address. */
  credentials?: FeedCredentials
  /** How it is fetched and read, where it needs special treatment. */
  fetching?: FetchSettings
  validators: Validators
  /** Hash of the body last read: an identical body means nothing changed, whatever the validators say. */
  bodyHash?: string
  /** Hash of the keys, titles and addresses last read: detects documents that differ only in irrelevant parts. */
  windowHash?: string
  subscribers: number
  /** Listed by the operator: polled even without followers. */
  listed?: true
  state: FeedState
  addedAt: Instant
  /** The document's own polling hints. */
  hints?: PublisherHints
  /** A user's polling preferences. */
  wants?: PollingGoals
  /** A user's choice for its entries' pages. */
  articles?: ArticlePreference
  /** Hosts its redirects lead to: a poll needs a free slot on them, too. */
  ends?: string[]
  /** The bucket of the root that requests end at, if it differs from its own. */
  bucket?: Bucket
  /** A permanent redirect that is not confirmed yet. held: it leads to another site whose feed has no known entry. */
  moving?: { to: WebAddress; times: number; sinceAt: Instant; held?: true }
  /** Removed from the start of entry titles: many publishers put their own name there. */
  titlePrefix?: string
  /** The publisher's latest title; where `title` differs, a user chose it. */
  publisherTitle?: string
  /** Corrections needed to match its entries, and unusual response sizes; absent for nearly all feeds. */
  quirks?: FeedQuirks
  /** When a gap was last found. */
  gapAt?: Instant
  /** A follow-up task that runs before it is polled normally again. */
  followUp?: FollowUpTask
  /** When its site was last searched for a new address of the feed. */
  siteSearchedAt?: Instant
  /** A feed that may replace it, found on its site or by its redirects; a user decides. */
  successorUrl?: WebAddress
}

/** How a feed was observed to rewrite its entries from fetch to fetch, and how large its responses are. */
export interface FeedQuirks {
  /** Mean response size, if far above the usual: see scheduling/poll-bytes.ts. */
  pollBytes?: number
  /** Consecutive windows in which no entry was known by key, link or date, but nearly all by title and text. */
  rewrittenWindows?: number
  /** Match entries by title and text: the feed gives them a new guid, link and date on each fetch. */
  matchBy?: 'text'
  /** Query parameters of entry links that differ on each fetch, such as session ids. */
  varyingParameters?: string[]
}

/** A user's polling preferences for a feed or for all feeds of a folder; a feed's own take precedence. */
export interface PollingGoals {
  minMs?: Millis
  maxMs?: Millis
  /** Target delay from publication to our seeing the entry. */
  goalMs?: Millis
}

/** Polling hints in the document (RSS 2.0 and the syndication module). Hours are GMT, day 0 is Sunday. */
export interface PublisherHints {
  ttlMs?: Millis
  updatePeriodMs?: Millis
  skipHours?: number[]
  skipDays?: number[]
}

/** `resumeAt`: when the feed is due normally again. */
export type FollowUpTask =
  /** After a gap: read older pages of the feed (RFC 5005), this one and at most `left` more, until a known entry appears. */
  | { kind: 'backfill'; url: WebAddress; left: number; resumeAt: Instant }
  /** The feed has been gone for a long time: search its site, at `url`, for a replacement. */
  | { kind: 'moved-feed'; url: WebAddress; resumeAt: Instant }

/** The packed state of a strategy for one feed; opaque to everything else. */
export type Memory = Uint8Array

/** `memory` belongs to the strategy named here. */
export interface Schedule {
  strategy: string
  memory: Memory
  dueAt: Instant
  /** Why this date; absent until a poll has set it. */
  because?: DueReason
  /** Consecutive failed polls. */
  failures: number
  /** The last poll, successful or not; absent before the first. */
  polledAt?: Instant
  /** The last poll that returned a feed or "not modified". */
  succeededAt?: Instant
  /** Why the last poll failed; absent if it succeeded. */
  trouble?: Failure
  /** How far the server's "304 Not Modified" is trusted. */
  trust?: ValidatorTrust
}

/**
 * - strategy:     as the strategy proposed
 * - min-interval, max-interval: bounded by a limit
 * - server:       Cache-Control, Expires or Retry-After of the response
 * - publisher:    ttl, sy:updatePeriod, skipHours or skipDays of the document
 * - failure:      backoff after failed polls
 * - push:         a hub pushes updates; polls are a safety net
 * - budget:       polls became more expensive after the date was set; deferred until it is worth one, or for the next hour
 * - requested:    by a user
 */
export type DueBecause =
  | 'strategy'
  | 'min-interval'
  | 'max-interval'
  | 'server'
  | 'publisher'
  | 'failure'
  | 'push'
  | 'budget'
  | 'requested'

/** `price`: the price at which the date was set; with it the strategy can reproduce its explanation. */
export interface DueReason {
  by: DueBecause
  price: Millis
}

/** honest: trusted. lies: answered 304 although there was news. useless: sends the full body every time. */
export interface ValidatorTrust {
  trust: 'honest' | 'lies' | 'useless'
  /** When a body last came, and the 304s since. */
  bodyAt: Instant
  quiet: number
  /** Consecutive audits that found news, and consecutive responses that repeated a known body. */
  doubts: number
  repeats: number
  /** The longest usual time without news. */
  usualMs?: Millis
}

export interface ScheduledFeed {
  feed: Feed
  schedule: Schedule
  /** Incremented on every change, for optimistic concurrency. */
  revision: number
}

/** An entry as its feed shows it. `title` is plain text; `summary` and `content` are untrusted HTML. */
export interface EntryDraft extends EntryExtras {
  /** Its guid, else its address, else a hash of its content: stable from poll to poll. */
  key: string
  url?: string
  title: string
  summary?: string
  content?: string
  author?: string
  publishedAt?: Instant
  updatedAt?: Instant
  /** The feed gives a day without a time; the dates are midnight UTC of that day. */
  dateOnly?: true
  /** The feed's date was invalid. future: replaced by the time we saw it. ancient: such as 1970; dropped. */
  dateFault?: 'future' | 'ancient'
  /** An estimated publication date, if the feed gives none. */
  estimate?: DateEstimate
  /** BCP 47: as the feed states it; once stored, as detected from the text where possible. */
  language?: string
  /** From a fixed list; set when stored. */
  category?: string
}

export interface Entry extends EntryDraft {
  readonly id: EntryId
  readonly feedId: FeedId
  seenAt: Instant
  /** When the feed was seen to have changed the entry's content under the same key. */
  changedAt?: Instant
}

/**
 * - page:       stated by the page it links to
 * - address:    its address contains the day
 * - neighbours: between entries that have dates
 * - order:      from its position among entries without dates
 */
export interface DateEstimate {
  at: Instant
  by: 'page' | 'address' | 'neighbours' | 'order'
}

/** Whether `folder` is the folder `name` or nested in it, ignoring case. */
export function isInFolder(folder: string | undefined, name: string): boolean {
  return folder !== undefined && `${folder} / `.toLowerCase().startsWith(`${name} / `.toLowerCase())
}

type Dates = Pick<EntryDraft, 'publishedAt' | 'updatedAt' | 'estimate'>

/** The date by which it is sorted. Limited to the time we saw it: a future date would keep it on top forever. */
export function sortAt({ publishedAt, updatedAt, estimate }: Dates, seenAt: Instant): Instant {
  return Math.min(publishedAt ?? updatedAt ?? estimate?.at ?? seenAt, seenAt)
}

/** Its position in the list of all entries, newest first. */
export function sortPosition(entry: Entry): { at: Instant; id: EntryId } {
  return { at: sortAt(entry, entry.seenAt), id: entry.id }
}

/** For entries whose language could not be determined; "und" is defined by BCP 47. */
export const UNKNOWN_LANGUAGE = 'und'
export const UNCATEGORIZED = 'uncategorized'

/** `de` also matches `de-AT`, ignoring case. */
export function isOfLanguage(language: string, code: string): boolean {
  return `${language}-`.toLowerCase().startsWith(`${code}-`.toLowerCase())
}

export type SortDateSource = 'published' | 'updated' | DateEstimate['by'] | 'seen'

/** Where the date of `sortAt` comes from. */
export function sortBy({ publishedAt, updatedAt, estimate }: Dates): SortDateSource {
  return publishedAt !== undefined ? 'published' : updatedAt !== undefined ? 'updated' : (estimate?.by ?? 'seen')
}

/** An earlier version of an entry, and when it was replaced. */
export interface EntryVersion {
  title: string
  url?: string
  /** Its content, else its summary, as HTML and possibly truncated; kept only for recent changes of the text. */
  body?: string
  until: Instant
}

/** What the store knows about a key. `forgotten`: retention removed the entry; it must not be added again. */
export type KnownEntry =
  /** `bare`: stored without media, tags etc.; an earlier version may not have kept them. */
  | {
      title: string
      url?: string
      publishedAt?: Instant
      seenAt: Instant
      bare?: true
      /** Hash of the text below the title (`textHash`); absent if there is none, or stored by an earlier version. */
      textHash?: number
      /** When it last changed. */
      changedAt?: Instant
    }
  | 'forgotten'

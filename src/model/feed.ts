/** Feeds, what they say, and when they are next looked at. */
import type { WebAddress } from './address.ts'
import type { Bucket } from './bucket.ts'
import type { Credentials } from './credentials.ts'
import type { Failure } from './failure.ts'
import type { EntryExtras } from './media.ts'
import type { Instant, Millis } from './time.ts'

/** Ids are branded, so that an entry's id cannot be handed in where a feed's is wanted. */
export type FeedId = number & { readonly of: 'feed' }
export type EntryId = number & { readonly of: 'entry' }

export type FeedFormat = 'rss' | 'atom' | 'rdf' | 'json' | 'cdf'

/** What the server told us to send back, byte for byte, so that it can answer "304 Not Modified". */
export interface Validators {
  etag?: string
  lastModified?: string
}

/** What a feed says of itself. */
export interface FeedFacts {
  format: FeedFormat
  title?: string
  description?: string
  siteUrl?: WebAddress
  language?: string
  /** Where a WebSub hub takes subscriptions, and the topic's own address. */
  hub?: WebAddress
  selfUrl?: WebAddress
  /** What its publisher says that it is about. */
  terms?: string[]
  /** When it was last built, by its own word. */
  builtAt?: Instant
  /** Whether its links had fragments: one that all share, which was taken off, or others, which tell its entries apart. */
  fragments?: FragmentHabit
}

export type FragmentHabit = 'shared' | 'apart'

/** How a feed was come by: the address itself, or what the page said of it; probe: it stood in a likely place. */
export type FoundBy = 'address' | 'host-rule' | 'link-header' | 'link' | 'anchor' | 'body' | 'probe'

/** active: polled when due. paused: a person said so. gone: the server said 410, repeatedly. */
export type FeedState = 'active' | 'paused' | 'gone'

/** What a person wants for its entries' pages. auto: they are fetched where the feed does not show the whole text. */
export type PagePreference = 'auto' | 'always' | 'never'

export interface Feed {
  readonly id: FeedId
  url: WebAddress
  root: string
  title: string
  description?: string
  siteUrl?: WebAddress
  language?: string
  /** Of a small table; absent where its publisher does not say. */
  category?: string
  /** What a person takes it for: goes before what its publisher says. */
  ownCategory?: string
  /** By which a person knows it; no other feed has the same. */
  name?: string
  /** When it was last built, by its own word. */
  builtAt?: Instant
  foundBy?: FoundBy
  fragments?: FragmentHabit
  hub?: WebAddress
  format?: FeedFormat
  /** Where a person put it: OPML's folders, joined by " / " where they are nested. */
  folder?: string
  /** For a private feed: sent to the origin of its address, and nowhere else. */
  credentials?: Credentials
  validators: Validators
  /** Of the body last read: the same body again is no news, whatever the server says of its date. */
  bodyHash?: string
  /** Of the keys, titles and addresses last read: a document may differ in nothing that matters. */
  windowHash?: string
  subscribers: number
  /** Who runs the crawl wants it, whoever follows it. */
  listed?: true
  state: FeedState
  addedAt: Instant
  /** What the publisher asks for in the document. */
  hints?: PublisherHints
  /** What a person wants of its polls. */
  wants?: Wants
  /** Whether its entries' pages are fetched, where a person said so. */
  articles?: PagePreference
  /** The hosts that redirects lead to, from its address on: they have to be free for a poll, too. */
  ends?: string[]
  /** Of the root that requests end at, where that is not its own. */
  bucket?: Bucket
  /** A permanent redirect that is not believed yet; held: it leads to another site, where no entry is known. */
  moving?: { to: WebAddress; times: number; sinceAt: Instant; held?: true }
  /** Taken off the front of its entries' titles: many publishers put their own name there. */
  titlePrefix?: string
  /** The title that the publisher gave it last; where `title` is another one, a person chose that. */
  publisherTitle?: string
  /** What has to be corrected before its entries can be matched, and what makes its polls dear; absent for nearly all feeds. */
  quirks?: FeedQuirks
  /** When we last found a gap. */
  gapAt?: Instant
  /** What is to be done for it before it is polled as usual. */
  errand?: Errand
  /** When its site was last asked whether the feed is somewhere else now. */
  soughtAt?: Instant
  /** A feed that may have taken its place, of its site or where its redirects lead; a person decides. */
  successorUrl?: WebAddress
}

/** How a feed was seen to rewrite its entries from fetch to fetch, and what is unusual about its answers. */
export interface FeedQuirks {
  /** What an answer weighs in the mean, where that is far more than usual: see polling/poll-bytes.ts. */
  pollBytes?: number
  /** Windows in a row of which no entry was known by key, link or date, and nearly all by title and text. */
  rewrittenWindows?: number
  /** Entries are matched by title and text: the feed gives them a new guid, link and date on each fetch. */
  matchBy?: 'text'
  /** Query parameters of entry links that differ on each fetch, such as session ids. */
  varyingParameters?: string[]
}

/** What a person wants of the polls of a feed, or of all feeds of a folder; a feed's own word goes before its folder's. */
export interface Wants {
  minMs?: Millis
  maxMs?: Millis
  /** Entries should be here within so long of their publication. */
  goalMs?: Millis
}

/** How often and when not to come, by the document itself (RSS 2.0 and the syndication module). Hours are GMT, 0 is Sunday. */
export interface PublisherHints {
  ttlMs?: Millis
  updatePeriodMs?: Millis
  skipHours?: number[]
  skipDays?: number[]
}

/** `resumeAt` is when the feed is due as usual again. */
export type Errand =
  /** After a gap: older documents are read (RFC 5005), this one and at most `left` more, until something known comes. */
  | { kind: 'backfill'; url: WebAddress; left: number; resumeAt: Instant }
  /** The feed is gone for long: its site, at `url`, is asked for one in its place. */
  | { kind: 'seek'; url: WebAddress; resumeAt: Instant }

/** What a strategy keeps of a feed, packed; it alone can read it. */
export type Memory = Uint8Array

/** `memory` belongs to the strategy named beside it. */
export interface Schedule {
  strategy: string
  memory: Memory
  dueAt: Instant
  /** Why then; absent until a poll has set the date. */
  because?: DueReason
  /** Polls that failed since the last one that did not. */
  failures: number
  /** The last poll, whatever came of it; absent until there was one. */
  polledAt?: Instant
  /** The last poll that was answered with a feed, or with the word that nothing changed. */
  succeededAt?: Instant
  /** Why the last poll failed; absent when it did not. */
  trouble?: Failure
  /** What we think of the server's "304 Not Modified". */
  trust?: ValidatorTrust
}

/**
 * - strategy:     what it wished was granted
 * - min-interval, max-interval: a limit bound it
 * - server:       Cache-Control, Expires or Retry-After of the answer
 * - publisher:    ttl, sy:updatePeriod, skipHours or skipDays of the document
 * - failure:      the poll failed, and the next waits the longer the more have
 * - push:         a hub tells us of news; polls only make sure of it
 * - budget:       polls have become dearer since the date was set, and it waits until it is worth one, or for the next hour
 * - asked:        a person wants it polled
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
  | 'asked'

/** The price is the one at which the date was set: on these terms the strategy can say it all again. */
export interface DueReason {
  by: DueBecause
  price: Millis
}

/** honest: believed. lies: it hid news. useless: it sends everything again, whatever we ask. */
export interface ValidatorTrust {
  trust: 'honest' | 'lies' | 'useless'
  /** When a body last came, and the 304s since then. */
  bodyAt: Instant
  quiet: number
  /** Audits in a row that found news, and answers in a row that sent again what we had. */
  doubts: number
  repeats: number
  /** The longest silence that is usual for the feed. */
  usualMs?: Millis
}

export interface ScheduledFeed {
  feed: Feed
  schedule: Schedule
  /** Another after each change of either: whoever has thought about this one can tell that it is not the same any more. */
  revision: number
}

/** An entry as its feed shows it. `title` is plain text; `summary` and `content` are HTML and not to be trusted. */
export interface EntryDraft extends EntryExtras {
  /** Its guid, else its address, else a hash of what it says: stable from poll to poll. */
  key: string
  url?: string
  title: string
  summary?: string
  content?: string
  author?: string
  publishedAt?: Instant
  updatedAt?: Instant
  /** The feed names a day and no time of day: the dates are that day's midnight, UTC. */
  dateOnly?: true
  /** The feed's date cannot be: it lay ahead, and became the moment at which we saw it; or at the beginning of all counting, and was left out. */
  dateFault?: 'future' | 'ancient'
  /** Where its feed gives no date: when it was published, as far as we can tell. */
  estimate?: DateEstimate
  /** By BCP 47: as the feed states it, once it is kept as far as the text tells. */
  language?: string
  /** Of a small table, once it is kept. */
  category?: string
}

export interface Entry extends EntryDraft {
  readonly id: EntryId
  readonly feedId: FeedId
  seenAt: Instant
  /** When we saw that the feed now says something else under the same key. */
  changedAt?: Instant
}

/**
 * - page:       the page that it points at says so
 * - address:    its address names the day
 * - neighbours: it stands between entries that have a date
 * - order:      it stands behind others that have none
 */
export interface DateEstimate {
  at: Instant
  by: 'page' | 'address' | 'neighbours' | 'order'
}

/** In the folder of that name or in one below it, whatever the case. */
export function isInFolder(folder: string | undefined, name: string): boolean {
  return folder !== undefined && `${folder} / `.toLowerCase().startsWith(`${name} / `.toLowerCase())
}

type Dates = Pick<EntryDraft, 'publishedAt' | 'updatedAt' | 'estimate'>

/** Where it stands in time. A date that lies ahead of the day we saw the entry is a mistake or a trick, and would keep it on top for ever. */
export function sortAt({ publishedAt, updatedAt, estimate }: Dates, seenAt: Instant): Instant {
  return Math.min(publishedAt ?? updatedAt ?? estimate?.at ?? seenAt, seenAt)
}

/** Where it stands among all entries, newest first. */
export function placeInTime(entry: Entry): { at: Instant; id: EntryId } {
  return { at: sortAt(entry, entry.seenAt), id: entry.id }
}

/** What is said of an entry where nobody knows; "und" is BCP 47's word. */
export const UNKNOWN_LANGUAGE = 'und'
export const UNCATEGORIZED = 'uncategorized'

/** `de` stands for `de-AT`, too; whatever the case. */
export function isOfLanguage(language: string, code: string): boolean {
  return `${language}-`.toLowerCase().startsWith(`${code}-`.toLowerCase())
}

export type ListedBy = 'published' | 'updated' | DateEstimate['by'] | 'seen'

/** What says so. */
export function sortBy({ publishedAt, updatedAt, estimate }: Dates): ListedBy {
  return publishedAt !== undefined ? 'published' : updatedAt !== undefined ? 'updated' : (estimate?.by ?? 'seen')
}

/** What an entry said before it was changed, and until when. */
export interface EntryVersion {
  title: string
  url?: string
  /** Its content, else its summary, as HTML that may be cut short: where that was changed, too, and not many changes ago. */
  body?: string
  until: Instant
}

/** What the store says of a key it was asked about. `forgotten`: it was there, retention has removed what it said, and it must not come back as news. */
export type KnownEntry =
  /** `bare`: nothing is kept of what comes with it; perhaps an earlier version did not keep such things. */
  | {
      title: string
      url?: string
      publishedAt?: Instant
      seenAt: Instant
      bare?: true
      /** Of what it says below its title (`textHash`); absent if that is nothing, or was kept by an earlier version of ours. */
      textHash?: number
      /** When it was last changed, if it was. */
      changedAt?: Instant
    }
  | 'forgotten'

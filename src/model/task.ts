/**
 * Tasks and outcomes: the messages between controller and fetchers. They may cross processes, so they are plain JSON, except for
 * the bytes of a page, which the queue encodes if needed.
 */
import type { WebAddress } from './address.ts'
import type { ArticleFacts, ArticleId, ArticleText } from './article.ts'
import type { Bucket } from './bucket.ts'
import type { FeedCredentials } from './credentials.ts'
import type { Failure } from './failure.ts'
import type { EntryDraft, FeedFacts, FeedId, FoundBy, PublisherHints, Validators } from './feed.ts'
import type { ExtractionRules, FetchSettings } from './fetch-settings.ts'
import type { Sameness } from './poll.ts'
import type { FailedProbe, RobotsRecord, SiteRobots } from './robots.ts'
import type { SourceId } from './source.ts'
import type { Instant, Millis } from './time.ts'

/**
 * A task may take several requests to one root; the fetcher waits `gapMs` between them. `ends`: other hosts with a free slot,
 * so that redirects to them may be followed, and no others. `named`: the feed's address, as a user gave it.
 */
export type Task = PollTask | DiscoverTask | MovedFeedTask | HubTask | ArticleTask

/** Fencing token: identifies the current lease; writes with another token are rejected. */
export type LeaseToken = string & { readonly of: 'lease' }

interface Sent {
  /** Identifies the outcome: duplicate and late outcomes are discarded. */
  lease?: LeaseToken
  /** The bucket whose owner waits for the outcome; absent with a single controller. */
  bucket?: Bucket
  /** When it was admitted; while in a queue, by the queue server's clock, which all machines share. */
  departedAt?: Instant
  /** Its host slot expires this long after `departedAt`: no request may be made later, however long it was queued. */
  goodForMs?: Millis
  /** Recalled: the fetcher makes no request and answers `unsent`. */
  isRecalled?: true
}

export interface PollTask extends Sent {
  kind: 'poll'
  feedId: FeedId
  url: WebAddress
  /** For this address; not included in the outcome. */
  credentials?: FeedCredentials
  /** Settings of the feed for this address; not included in the outcome. */
  fetching?: FetchSettings
  validators: Validators
  bodyHash?: string
  windowHash?: string
  /** Sent to the server in the User-Agent: for how many users we poll. */
  subscribers: number
  /** Validators exist but are not sent: they are being audited, or known to be wrong. */
  unconditionalFor?: 'audit' | 'lies'
  /** Reads an older page of the feed, to fill a gap. */
  older?: true
  named?: WebAddress
  /** Requested by a user. */
  isManual?: true
  /** The known robots.txt of its origin. */
  robots?: RobotsRecord
  ends?: string[]
  gapMs: Millis
}

/** Searches the site of a feed that is gone for its new address. */
export interface MovedFeedTask extends Sent {
  kind: 'moved-feed'
  feedId: FeedId
  /** The site's address. */
  url: WebAddress
  /** The old address, which is skipped. */
  not: WebAddress
  credentials?: FeedCredentials
  robots?: RobotsRecord
  /** Addresses known not to be feeds. */
  misses?: FailedProbe[]
  ends?: string[]
  gapMs: Millis
}

export interface DiscoverTask extends Sent {
  kind: 'discover'
  sourceId: SourceId
  url: WebAddress
  credentials?: FeedCredentials
  /** For the feed it leads to. */
  folder?: string
  /** Consecutive failures. */
  failures: number
  robots?: RobotsRecord
  misses?: FailedProbe[]
  ends?: string[]
  gapMs: Millis
}

/** Subscribes to a feed's hub, or unsubscribes. */
export interface HubTask extends Sent {
  kind: 'hub'
  token: string
  /** The hub's address. */
  url: WebAddress
  mode: 'subscribe' | 'unsubscribe'
  topic: WebAddress
  callback: string
  secret: string
  named?: WebAddress
  leaseMs: Millis
}

/** Fetches and extracts the page an entry links to, if robots.txt allows it. */
export interface ArticleTask extends Sent {
  kind: 'article'
  articleId: ArticleId
  url: WebAddress
  named?: WebAddress
  /** Settings of a feed that links to it. */
  userAgent?: string
  extraction?: ExtractionRules
  robots?: RobotsRecord
  gapMs: Millis
}

/** Bytes. Our own limit: extracting text from larger pages is not worth it. */
export const MAX_PAGE_BYTES = 5_000_000

/** A fetched and extracted page. */
export interface FetchedPage extends ArticleText {
  /** After redirects. */
  url: WebAddress
  /** As the page states. */
  canonicalUrl?: WebAddress
  /** `language` as the page states it. */
  facts: ArticleFacts
  noArchive?: true
  status: number
  headers: Record<string, string>
  /** Decompressed. */
  body: Uint8Array
}

/** A fetched and parsed feed. */
export interface FetchedFeed {
  facts: FeedFacts
  /** The window, in document order. */
  entries: EntryDraft[]
  validators: Validators
  bodyHash: string
  windowHash: string
  /** The next older page of a paged feed (RFC 5005). */
  nextUrl?: WebAddress
  hints?: PublisherHints
  /** Cache lifetime stated by the server; 0 if none. */
  restMs: Millis
}

/** The redirects a request followed. */
export interface RedirectChain {
  redirects: { status: number; to: WebAddress }[]
  finalUrl: WebAddress
}

export interface Outcome {
  task: Task
  /** When the fetcher started, by its clock; when the task was sent, once the outcome is back. */
  at: Instant
  tookMs: Millis
  bytes: number
  /** The fetcher, if there are several. */
  by?: string
  /** robots.txt files fetched along the way. */
  robots?: SiteRobots[]
  /** Addresses found not to be feeds. */
  misses?: FailedProbe[]
  result: OutcomeResult
}

export type OutcomeResult =
  | { kind: 'window'; reading: FetchedFeed; arrival?: RedirectChain }
  /** `validators`: from the response, if it had any. */
  | {
      kind: 'not-modified'
      by: Sameness
      validators?: Validators
      bodyHash?: string
      restMs: Millis
      arrival?: RedirectChain
    }
  /** `others`: other feeds of the site, best first. */
  | { kind: 'found'; url: WebAddress; reading: FetchedFeed; others: WebAddress[]; by?: FoundBy }
  /** No request was or will be made: it was recalled in time. */
  | { kind: 'unsent' }
  /** The hub accepted the request and will verify it. */
  | { kind: 'accepted' }
  | { kind: 'page'; reading: FetchedPage }
  /** A redirect leads to hosts without a free slot: to be repeated with these `ends`. */
  | { kind: 'elsewhere'; ends: string[] }
  /** The same for a page, available at `to`. */
  | { kind: 'page-elsewhere'; to: WebAddress }
  /** `from`: the address that failed, if redirects led away from the task's. */
  | { kind: 'failed'; failure: Failure; from?: WebAddress }

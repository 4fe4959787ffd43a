/**
 * What travels between controller and terminals. Tasks and outcomes may cross processes: they are plain JSON, but for the
 * bytes of a page, which a queue that needs to makes text of.
 */
import type { WebAddress } from './address.ts'
import type { ArticleFacts, ArticleId, ArticleText } from './article.ts'
import type { Bucket } from './bucket.ts'
import type { Credentials } from './credentials.ts'
import type { Failure } from './failure.ts'
import type { EntryDraft, FeedFacts, FeedId, FoundBy, PublisherHints, Validators } from './feed.ts'
import type { Sameness } from './poll.ts'
import type { Miss, RobotsRecord, SiteRobots } from './robots.ts'
import type { SourceId } from './source.ts'
import type { Instant, Millis } from './time.ts'

/**
 * A task may take several requests to one root; the terminal lets `gapMs` pass between them. `ends`: other hosts whose turn
 * has come as well, so that redirects to them are followed; to no others. `named`: the feed's address, which a person gave.
 */
export type Task = PollTask | DiscoverTask | SeekTask | HubTask | ArticleTask

/** Proves that something was taken, and by whom: who comes with another has nothing to say any more. */
export type LeaseToken = string & { readonly of: 'lease' }

interface Sent {
  /** By which its outcome is known: one that comes twice, or too late, is nobody's. */
  lease?: LeaseToken
  /** Whose owner waits for the outcome; absent where there is only one. */
  bucket?: Bucket
  /** When it was let in at its doors; on its way between machines by the queue's clock, which all of them can read. */
  departedAt?: Instant
  /** So long after that its turn at the door is over: no request is made for it later, however long it was carried. */
  goodForMs?: Millis
  /** Whoever is to perform it goes nowhere, and says that nobody did (`unsent`). */
  isRecalled?: true
}

export interface PollTask extends Sent {
  kind: 'poll'
  feedId: FeedId
  url: WebAddress
  /** Meant for this address; they do not come back with the outcome. */
  credentials?: Credentials
  validators: Validators
  bodyHash?: string
  windowHash?: string
  /** Told to the server, who then knows for how many people we ask. */
  subscribers: number
  /** There are validators, and they are not sent: they are tested, or known to lie. */
  unconditionalFor?: 'audit' | 'lies'
  /** It is an older document of the feed that is read, to fill a gap. */
  older?: true
  named?: WebAddress
  /** A person asked for it. */
  byHand?: true
  /** What is known of robots.txt there. */
  robots?: RobotsRecord
  ends?: string[]
  gapMs: Millis
}

/** A feed is gone for long: which feed does its site have now? */
export interface SeekTask extends Sent {
  kind: 'seek'
  feedId: FeedId
  /** The site's address. */
  url: WebAddress
  /** Where the feed was, and is not worth a look. */
  not: WebAddress
  credentials?: Credentials
  robots?: RobotsRecord
  /** What is known to have nothing there. */
  misses?: Miss[]
  ends?: string[]
  gapMs: Millis
}

export interface DiscoverTask extends Sent {
  kind: 'discover'
  sourceId: SourceId
  url: WebAddress
  credentials?: Credentials
  /** For the feed that it leads to. */
  folder?: string
  /** How often it led nowhere before. */
  failures: number
  robots?: RobotsRecord
  misses?: Miss[]
  ends?: string[]
  gapMs: Millis
}

/** Asks a hub to tell us of a feed's news, or to do so no longer. */
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

/** The page that an entry points at: fetched if robots.txt allows it, and read. */
export interface ArticleTask extends Sent {
  kind: 'article'
  articleId: ArticleId
  url: WebAddress
  named?: WebAddress
  robots?: RobotsRecord
  gapMs: Millis
}

/** Bytes of a page, ours: the text of a larger one is not worth the reading. */
export const LARGEST_PAGE = 5_000_000

/** An article's page, read. */
export interface PageReading extends ArticleText {
  /** Where it came from, after redirects. */
  url: WebAddress
  /** By its own word. */
  canonicalUrl?: WebAddress
  /** `language` as the page states it. */
  facts: ArticleFacts
  noArchive?: true
  status: number
  headers: Record<string, string>
  /** Decoded from what it was packed in on the wire. */
  body: Uint8Array
}

/** A feed's document, read. */
export interface FeedReading {
  facts: FeedFacts
  /** The window, in the order of the document. */
  entries: EntryDraft[]
  validators: Validators
  bodyHash: string
  windowHash: string
  /** The next older document, where the feed is paged (RFC 5005). */
  nextUrl?: WebAddress
  hints?: PublisherHints
  /** For how long the server says that its answer stays true; 0 if it does not say. */
  restMs: Millis
}

/** How a request got there, where it was not the straight way. */
export interface Arrival {
  redirects: { status: number; to: WebAddress }[]
  finalUrl: WebAddress
}

export interface Outcome {
  task: Task
  /** When the terminal set out, by its clock; when the task was sent, once the outcome is back. */
  at: Instant
  tookMs: Millis
  bytes: number
  /** The terminal, where there are several. */
  by?: string
  /** What sites were found to ask of crawlers, on the way. */
  robots?: SiteRobots[]
  /** What they were found not to have. */
  misses?: Miss[]
  result: OutcomeResult
}

export type OutcomeResult =
  | { kind: 'window'; reading: FeedReading; arrival?: Arrival }
  /** `validators`: those that the answer carried, if it carried any. */
  | {
      kind: 'not-modified'
      by: Sameness
      validators?: Validators
      bodyHash?: string
      restMs: Millis
      arrival?: Arrival
    }
  /** `others`: further feeds that the site has, best first. */
  | { kind: 'found'; url: WebAddress; reading: FeedReading; others: WebAddress[]; by?: FoundBy }
  /** Nobody has gone, and nobody will: it was called back before it was on its way. */
  | { kind: 'unsent' }
  /** The hub has taken it, and will come back. */
  | { kind: 'accepted' }
  | { kind: 'page'; reading: PageReading }
  /** The way leads to hosts whose turn it is not: with these `ends` it can be gone. Nothing else is said by it. */
  | { kind: 'elsewhere'; ends: string[] }
  /** The same of a page, which is to be had there. */
  | { kind: 'page-elsewhere'; to: WebAddress }
  /** `from`: who answered so, or did not, where redirects led away from the task's address. */
  | { kind: 'failed'; failure: Failure; from?: WebAddress }

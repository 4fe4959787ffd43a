/**
 * The page an entry links to, fetched and stored. One page is one article, however many entries link to it: an address that
 * leads to a stored page is remembered as `same`, and its entries belong to that article.
 *
 *     waiting --> read       the page was read; due again only when one of its entries changed
 *         |-----> same       it is the page of another article
 *         |-----> refused    robots.txt or the page itself forbids crawling or storing it
 *         '-----> failed     it could not be fetched and is not retried
 */
import type { WebAddress } from './address.ts'
import type { Bucket } from './bucket.ts'
import type { Failure } from './failure.ts'
import type { DateEstimate, EntryId } from './feed.ts'
import type { Instant, Millis } from './time.ts'

export type ArticleId = number & { readonly of: 'article' }

export type ArticleState = 'waiting' | 'read' | 'same' | 'refused' | 'failed'

export interface StoredArticle {
  readonly id: ArticleId
  /** The address to fetch: as an entry gave it, without fragment and tracking parameters. */
  url: WebAddress
  /** The root whose queue it waits in. */
  root: string
  /** Redirected to another host, where it is fetched next; `hops`: consecutive redirects. */
  ledTo?: { url: WebAddress; hops: number }
  state: ArticleState
  /** When an entry first linked to it. */
  wantedAt: Instant
  /** Date of its newest entry, or when a user asked for it: of two due articles, the newer is fetched first. */
  newsAt: Instant
  /** When to fetch it next; absent if never. */
  dueAt?: Instant
  /** Consecutive failed fetches, and the last failure. */
  failures: number
  trouble?: Failure
  /** When it was last requested. */
  triedAt?: Instant
  /** How often it was read: limits rereading of pages whose entries change constantly. */
  reads: number
  /** When the stored page was fetched; absent until it was. */
  fetchedAt?: Instant
  /** The page's address after redirects and its canonical link: identifies the page. */
  pageUrl?: WebAddress
  /** The article that this address turned out to be. */
  sameAs?: ArticleId
  /** The page forbids offering a copy (noarchive): its text is shown only to users who follow a feed that links to it, and the page is not stored. */
  noArchive?: true
  facts?: ArticleFacts
}

/** Without its facts, which are stored and deleted separately. */
export type ArticleLife = Omit<StoredArticle, 'facts'>

/** The result of a fetch. */
export type ArticleResult =
  | {
      kind: 'read'
      /** Identifies the page. */
      pageUrl: WebAddress
      facts: ArticleFacts
      content: ArticleText
      noArchive?: true
      /** Absent where it must not be stored. */
      page?: RawPage
      /** For its entries without a date in the feed. */
      estimate?: DateEstimate
      /** For its entries without a title in the feed. */
      title?: string
    }
  /** The page belongs to that article, which takes over its entries. */
  | { kind: 'same'; sameAs: ArticleId; pageUrl: WebAddress }
  /** The page is on another host: due there, in the queue of `root`. */
  | { kind: 'elsewhere'; to: WebAddress; root: string; bucket?: Bucket }
  /** Without `dueAt` it is not retried. Earlier content stays, unless it is refused now. */
  | { kind: 'failed'; failure: Failure; state: 'failed' | 'refused'; dueAt?: Instant }

/** Metadata of an article. Unknown fields are absent. */
export interface ArticleFacts {
  /** Without the site's name. */
  title?: string
  authors?: string[]
  /** Derived from the feed's date, the page's, and when we first saw it. */
  date?: DateVerdict
  published?: PageDate
  modified?: PageDate
  /** BCP 47: detected from the text if possible, else as the page or the feed says. */
  language?: string
  category?: string
  image?: string
  siteName?: string
  section?: string
  keywords?: string[]
  description?: string
  /** The full text is for subscribers only: what is stored may be just its beginning. */
  paywall?: 'locked' | 'metered'
  words: number
  /** What the text contains, to compare it with the text in the feed; absent for articles stored by an earlier version. */
  content?: ContentMeasure
}

/** What a text contains: words, list items (and table rows), pictures and recordings, links. */
export interface ContentMeasure {
  words: number
  items: number
  media: number
  links: number
}

/** A date found in the page. */
export interface PageDate {
  at: Instant
  dateOnly: boolean
  /** The date with day and month swapped, where 5/6/2024 is ambiguous. */
  swappedAt?: Instant
  /** Where in the page it was found, such as "json-ld" or "text". */
  from: string
  /** 0 to 1: how often a date from there is correct. */
  trust: number
}

/** When an article was published, and which corrections were made. */
export interface DateVerdict {
  at: Instant
  from: 'feed' | 'page' | 'seen'
  /** A day without a time; `at` is midnight UTC. */
  dateOnly?: true
  trust: number
  /** Absent where the dates are valid and agree. */
  notes?: DateNote[]
}

/**
 * - future:    later than when we first saw it
 * - ancient:   an epoch (1970, 1900, year 1), or older than the web
 * - no-time:   a day without a time
 * - zone:      off by whole hours: local time labelled with the wrong zone
 * - disagrees: contradicts the other dates
 */
export interface DateNote {
  of: 'feed' | 'page'
  fault: 'future' | 'ancient' | 'no-time' | 'zone' | 'disagrees'
  /** corrected: by `byMs`, so that it agrees. completed: the time was taken from the other date. dropped: not used. flagged: used anyway. */
  done: 'corrected' | 'completed' | 'dropped' | 'flagged'
  byMs?: Millis | undefined
}

/** A clause for users. */
export function describeDateNote({ of, fault, done, byMs = 0 }: DateNote): string {
  const hours = Math.round(Math.abs(byMs) / 360_000) / 10
  const problem = {
    future: 'is later than when it was first seen',
    ancient: 'was never set',
    'no-time': 'has no time of day',
    zone: `is off by ${hours} h`,
    disagrees: `disagrees with the ${of === 'feed' ? 'page' : 'feed'}`,
  }[fault]
  const handling = { corrected: 'corrected', completed: 'completed', dropped: 'not used', flagged: 'used anyway' }[done]
  return `the ${of}'s date ${problem}: ${handling}`
}

/** The main text: plain, with an empty line between paragraphs; and as HTML, which is sanitized again before it is shown. */
export interface ArticleText {
  text: string
  html: string
}

/** A response as the server sent it, for archives. */
export interface RawPage {
  /** After redirects. */
  url: WebAddress
  at: Instant
  status: number
  /** Names in lower case; without cookies. */
  headers: Record<string, string>
  /** Decompressed. */
  body: Uint8Array
}

/** An article with its text and the entries that point at it, for exports. */
export interface WholeArticle extends ArticleText {
  article: StoredArticle
  entryIds: EntryId[]
}

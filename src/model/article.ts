/**
 * The page that an entry points at, as it was read and is kept. One page is one article, however many entries point at it:
 * an address that led to a page that we have is remembered as `same`, and its entries are the other article's.
 *
 *     waiting --> read       the page was read; it has a due date again only when an entry of it changed
 *         |-----> same       it is the page of another article
 *         |-----> refused    robots.txt or the page itself asks crawlers to stay away, or not to keep it
 *         '-----> failed     it could not be had, and will not be asked for again
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
  /** The address that is asked for: as an entry gave it, without fragment and without what counts clicks. */
  url: WebAddress
  /** Whose line it stands in. */
  root: string
  /** It was redirected to another host, and is asked for there; `hops`: how often in a row. */
  ledTo?: { url: WebAddress; hops: number }
  state: ArticleState
  /** When an entry first pointed at it. */
  wantedAt: Instant
  /** The date of its newest entry: of two that are due, the newer goes first. */
  newsAt: Instant
  /** When it is next to be fetched; absent if it is not. */
  dueAt?: Instant
  /** Fetches in a row that failed, and why the last one did. */
  failures: number
  trouble?: Failure
  /** When we last asked for it, whatever came. */
  triedAt?: Instant
  /** How often it was read: a page whose entries change without end is not read without end. */
  reads: number
  /** Of the page that is kept; absent until it was read. */
  fetchedAt?: Instant
  /** Where the page is, after redirects and by its own word: the address that tells pages apart. */
  pageUrl?: WebAddress
  /** The article that this address turned out to be. */
  sameAs?: ArticleId
  /** The page asks not to be shown from a copy (noarchive): its text may be searched, but neither it nor the page is handed on. */
  noArchive?: true
  facts?: ArticleFacts
}

/** Without what was read of it, which is kept, written and dropped as a whole. */
export type ArticleLife = Omit<StoredArticle, 'facts'>

/** What came of a fetch. */
export type ArticleResult =
  | {
      kind: 'read'
      /** Tells this page from others. */
      pageUrl: WebAddress
      facts: ArticleFacts
      content: ArticleText
      noArchive?: true
      /** Left out where it must not be kept. */
      page?: RawPage
      /** For those of its entries whose feed gives no date. */
      estimate?: DateEstimate
    }
  /** It is the page of that article, which was read: its entries are the other's from now on. */
  | { kind: 'same'; sameAs: ArticleId; pageUrl: WebAddress }
  /** It is to be had on another host: it is due there, in the line of `root`, as it was here. */
  | { kind: 'elsewhere'; to: WebAddress; root: string; bucket?: Bucket }
  /** Without `dueAt` it is not asked for again. What was read before stays, unless it is refused now. */
  | { kind: 'failed'; failure: Failure; state: 'failed' | 'refused'; dueAt?: Instant }

/** What the page says of its article, beside the text. What is not known is absent. */
export interface ArticleFacts {
  /** Without the site's name. */
  title?: string
  authors?: string[]
  /** What we make of the feed's date, the page's, and our first sight of it. */
  date?: DateVerdict
  published?: PageDate
  modified?: PageDate
  /** By BCP 47: of the text if it could be told, else as the page or the feed says. */
  language?: string
  category?: string
  image?: string
  siteName?: string
  section?: string
  keywords?: string[]
  description?: string
  /** Its whole text is for subscribers: what is kept may be its beginning. */
  paywall?: 'locked' | 'metered'
  words: number
}

/** A date as the page has it. */
export interface PageDate {
  at: Instant
  dateOnly: boolean
  /** What it is if day and month are exchanged, where 5/6/2024 leaves it open which is which. */
  swappedAt?: Instant
  /** The place of the page it was read from, such as "json-ld" or "text". */
  from: string
  /** 0 to 1: how often a date from that place is the right one. */
  trust: number
}

/** When an article was published, as far as can be told, and what had to be done to say so. */
export interface DateVerdict {
  at: Instant
  from: 'feed' | 'page' | 'seen'
  /** A day without a time of day; `at` is its midnight, UTC. */
  dateOnly?: true
  trust: number
  /** Absent where the dates are sound and agree. */
  notes?: DateNote[]
}

/**
 * - future:    it lies ahead of the moment at which we saw it
 * - ancient:   it is a beginning of counting (1970, 1900, year 1), or older than the web
 * - no-time:   it names a day only
 * - zone:      it is off by whole hours: a local time that was written as if it were another zone's
 * - disagrees: the others say otherwise
 */
export interface DateNote {
  of: 'feed' | 'page'
  fault: 'future' | 'ancient' | 'no-time' | 'zone' | 'disagrees'
  /** corrected: by `byMs`, so that it agrees. completed: the time was taken from the other. dropped: it was not used. flagged: it was used all the same. */
  done: 'corrected' | 'completed' | 'dropped' | 'flagged'
  byMs?: Millis | undefined
}

/** One clause for people. */
export function dateNoteInWords({ of, fault, done, byMs = 0 }: DateNote): string {
  const hours = Math.round(Math.abs(byMs) / 360_000) / 10
  const what = {
    future: 'lies ahead of our first sight of it',
    ancient: 'was never set',
    'no-time': 'has no time of day',
    zone: `is off by ${hours} h`,
    disagrees: `disagrees with the ${of === 'feed' ? 'page' : 'feed'}`,
  }[fault]
  const then = { corrected: 'put right', completed: 'completed', dropped: 'not used', flagged: 'used all the same' }[
    done
  ]
  return `the ${of}'s date ${what}: ${then}`
}

/** The main text: plain, with an empty line between paragraphs; and as HTML, which passes the sanitiser again before it is shown. */
export interface ArticleText {
  text: string
  html: string
}

/** An answer as the server gave it, for archives. */
export interface RawPage {
  /** Where it came from, after redirects. */
  url: WebAddress
  at: Instant
  status: number
  /** Names in lower case; cookies are not kept. */
  headers: Record<string, string>
  /** Decoded from what it was packed in on the wire. */
  body: Uint8Array
}

/** An article with its text and the entries that point at it, for exports. */
export interface WholeArticle extends ArticleText {
  article: StoredArticle
  entryIds: EntryId[]
}

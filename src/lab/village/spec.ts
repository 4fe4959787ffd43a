/**
 * The specification of a village. A site needs only a name: everything else has a default, so a test defines a web of
 * one site in one line, and the default village is a readable list.
 *
 * Times of a site are in its own days: `dayMs` is the length of one. A newspaper with days of twenty-four minutes is
 * sixty times as fast as a real one, with mornings, evenings and weekends; that keeps demos short.
 */
import type { FeedFormat, Instant, Millis } from '../../model/index.ts'

export interface SiteSpec {
  /** The site is at `http://<name>.localhost`. */
  name: string
  title?: string
  /** A description for people who watch the demo. */
  shows?: string
  language?: TownLanguage
  voice?: Voice
  rhythm?: Rhythm
  dayMs?: Millis
  /** It publishes nothing from then on. */
  silentSince?: Instant
  /** Copies a share (0 to 1) of another site's stories, some hours later and slightly edited. */
  copies?: { of: string; share: number }
  categories?: string[]
  /** Each post has a picture: stated by its feeds in two sizes, in its text, or only named by its page. The site has an icon, too. */
  pictures?: 'feed' | 'text' | 'page'
  feeds?: FeedSpec[]
  /** Preferred compression of its server, for clients that accept it; others get gzip or none. */
  packing?: Packing
  /** The text of robots.txt, or the status of its response. */
  robots?: string | number
  pages?: PageSpec
  /** Other documents of its server, by path; HTML pages unless `type` says otherwise. */
  documents?: Record<string, { text: string; type?: string }>
  /** Fault of the whole site; feeds have their own. */
  fault?: Fault
}

export interface PageSpec {
  /** Shares (0 to 1) of article pages that are not plain. */
  kinds?: Partial<Record<Exclude<PageKind, 'plain'>, number>>
  /** How feeds link to pages: directly, through a redirect, or with tracking parameters. */
  linked?: 'plain' | 'detour' | 'tracked'
  /** The canonical path stated by all pages; each page's own by default. */
  canonical?: string
}

/**
 * wall: a cookie notice instead of the page. noindex, noarchive: in a meta tag. hidden: noindex in a response header.
 * pdf: a PDF file.
 */
export type PageKind = 'plain' | 'wall' | 'missing' | 'noindex' | 'hidden' | 'noarchive' | 'pdf'

export interface FeedSpec {
  /** With `.gz` at its end, the document is a compressed file. */
  path: string
  /** Its host, if different from the site's: another name under `.localhost`. */
  on?: string
  format?: Exclude<FeedFormat, 'cdf'>
  /** How the home page announces it: with a link tag, an ordinary link, a response header, or not at all. */
  announced?: 'link' | 'anchor' | 'header' | 'no'
  /** A category of the site, or its readers' comments; everything by default. */
  about?: { category: string } | 'comments'
  /** Number of entries it shows. */
  window?: number
  /** It has older documents, linked one after the other (RFC 5005); for RSS and Atom. */
  paged?: boolean
  content?: 'full' | 'summary' | 'none'
  /** False: entries have no dates. */
  dated?: boolean
  /** Its dates are this many years in the past. */
  yearsBehind?: number
  /** False: entries have no ids. */
  keyed?: boolean
  /** What differs on each fetch: a session id in links; or guid, link and date of every entry. */
  rewrites?: 'sessions' | 'everything'
  validators?: ValidatorBehavior
  maxAgeS?: number
  ttlMinutes?: number
  /** Additional elements of the document, verbatim; for RSS and Atom. */
  extra?: string
  /** It declares the village's hub (WebSub). */
  hub?: true
  charset?: 'utf-8' | 'iso-8859-1'
  fault?: Fault
}

export type TownLanguage = 'en' | 'de' | 'fr'

export type Packing = 'gzip' | 'deflate' | 'br' | 'zstd'

/** The style of a site's titles. */
export type Voice = 'news' | 'diary' | 'podcast' | 'forum' | 'weather'

/** When a site publishes, in its own days. Hours and weekdays are UTC; Sunday is 0. */
export type Rhythm =
  /** From seven to seven, most in the morning and least at noon; on weekdays, unless `weekends`. */
  | { kind: 'office-hours'; perDay: number; weekends?: boolean }
  /** Once a day, more or less at that hour, and now and then not at all. */
  | { kind: 'daily'; hour: number }
  /** To the minute. */
  | { kind: 'weekly'; weekday: number; hour: number }
  /** At every multiple of `everyMs`; this one is not told in days. */
  | { kind: 'clockwork'; everyMs: Millis }
  /** Silence, then many within minutes. */
  | { kind: 'bursts'; perDay: number }
  | { kind: 'round-the-clock'; perDay: number }
  /** At exactly these instants, in ascending order. */
  | { kind: 'at'; instants: readonly Instant[] }

/**
 * strong, weak: such ETags. date: Last-Modified only. both: a strong ETag and Last-Modified. apache: an ETag that
 * gains "-gzip" when compressed. restless: a new ETag for each response with the same body. lying: one constant ETag,
 * whatever changes. none: every response is complete.
 */
export type ValidatorBehavior = 'both' | 'strong' | 'weak' | 'date' | 'apache' | 'restless' | 'lying' | 'none'

export type Fault =
  | { kind: 'status'; status: number; retryAfter?: RetryAfter }
  /** For the first `forMs` of every `everyMs` it is too busy to answer, and says when to come back. */
  | { kind: 'rush-hour'; status: 429 | 503; everyMs: Millis; forMs: Millis; retryAfter?: 'seconds' | 'date' }
  /** `to` is a path of the same site or a whole address. */
  | { kind: 'moved'; status: 301 | 302 | 303 | 307 | 308; to: string; retryAfter?: RetryAfter }
  /** Answers as usual, but with other headers (null takes one away); 304 where those fit the request. */
  | { kind: 'headers'; headers: Record<string, string | null> }
  /** Something else stands there. */
  | { kind: 'document'; type: string; text: string }
  /** A page that asks for a password, with status 200. */
  | { kind: 'login' }
  /** Status 200 and nothing at all. */
  | { kind: 'empty' }
  | { kind: 'broken-xml' }
  | { kind: 'huge'; bytes: number }
  /** What the wire does: see `Manner`. */
  | { kind: Exclude<Manner, 'plain'> }

/** In seconds; an instant, sent as an HTTP date; or verbatim. */
export type RetryAfter = { seconds: number } | { at: Instant } | { words: string }

/**
 * How a response is sent. slow: a few bytes at a time. endless: it never ends. cut: it ends prematurely. reset: the
 * connection is closed without a response.
 */
export type Manner = 'plain' | 'slow' | 'endless' | 'cut' | 'reset'

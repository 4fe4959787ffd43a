/**
 * The words in which a village is described. A site needs only a name: everything else has a default, so that a test
 * builds a web of one site in one line, and the default village is a readable list.
 *
 * Times of a site are told in its own days: `dayMs` says how long one of them lasts. A newspaper with days of twenty-four
 * minutes lives sixty times as fast as a real one, with mornings, evenings and weekends; that is how a demo stays short.
 */
import type { FeedFormat, Instant, Millis } from '../../model/index.ts'

export interface SiteSpec {
  /** The site stands at `http://<name>.localhost`. */
  name: string
  title?: string
  /** What there is to see at this site, for those who watch: half a sentence. */
  shows?: string
  language?: TownLanguage
  voice?: Voice
  rhythm?: Rhythm
  dayMs?: Millis
  /** Nothing is published from then on: a dead blog. */
  silentSince?: Instant
  /** Takes over a share (0 to 1) of another site's stories, some hours later and a little edited. */
  copies?: { of: string; share: number }
  categories?: string[]
  /** Each post has a picture: its feeds show it, in two sizes. */
  pictures?: true
  feeds?: FeedSpec[]
  /** How its server packs what is worth packing, for those who can unpack it; others get gzip, or nothing of the kind. */
  packing?: Packing
  /** The text of robots.txt, or the status with which it is refused. */
  robots?: string | number
  pages?: PageSpec
  /** Of the whole site; the trouble of one feed stands with that feed. */
  trouble?: Trouble
}

export interface PageSpec {
  /** Which shares (0 to 1) of its articles' pages are not plain. */
  kinds?: Partial<Record<Exclude<PageKind, 'plain'>, number>>
  /** How its feeds link to them: as they are, by an address that redirects, or with parameters that count clicks. */
  linked?: 'plain' | 'detour' | 'tracked'
  /** The path that every page names as its canonical one; each its own, unless somebody has made a mistake. */
  canonical?: string
}

/** wall: a cookie notice stands in its place. noindex, noarchive: asked for in a meta tag. hidden: noindex in the head of the answer. pdf: it is one. */
export type PageKind = 'plain' | 'wall' | 'missing' | 'noindex' | 'hidden' | 'noarchive' | 'pdf'

export interface FeedSpec {
  path: string
  /** The host that serves it, if it is not the site's own: another name under `.localhost`. */
  on?: string
  format?: Exclude<FeedFormat, 'cdf'>
  /** How the home page tells of it: in a link tag, in an ordinary link, in the header of its answer, or not at all. */
  announced?: 'link' | 'anchor' | 'header' | 'no'
  /** A category of the site, or the comments of its readers; without it, everything. */
  about?: { category: string } | 'comments'
  /** How many entries it shows. */
  window?: number
  /** It has older documents, each of which links to the next (RFC 5005); for RSS and Atom. */
  paged?: boolean
  content?: 'full' | 'summary' | 'none'
  /** False: the entries carry no date. */
  dated?: boolean
  /** Its dates name a year that is so many years past. */
  yearsBehind?: number
  /** False: the entries carry no id of their own. */
  keyed?: boolean
  /** What differs on each fetch: a session id in the links; or guid, link and date of every entry. */
  rewrites?: 'sessions' | 'everything'
  validators?: ValidatorHabit
  maxAgeS?: number
  ttlMinutes?: number
  /** Further elements at the top of the document, as they are; for RSS and Atom. */
  extra?: string
  /** It names the village's hub (WebSub). */
  hub?: true
  charset?: 'utf-8' | 'iso-8859-1'
  trouble?: Trouble
}

export type TownLanguage = 'en' | 'de' | 'fr'

export type Packing = 'gzip' | 'deflate' | 'br' | 'zstd'

/** What a site's titles sound like. */
export type Voice = 'news' | 'diary' | 'podcast' | 'forum' | 'weather'

/** When a site publishes, on its own days. Hours and weekdays are UTC; Sunday is 0. */
export type Rhythm =
  /** From seven to seven, thick in the morning, thin at noon; on weekdays, unless `weekends`. */
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
 * strong, weak: ETags of that kind. date: Last-Modified alone. both: a strong ETag and Last-Modified. apache: an ETag that
 * gains "-gzip" when the body is packed. restless: a new ETag every time, for the same body. lying: one ETag for ever,
 * whatever changes. none: every answer is whole.
 */
export type ValidatorHabit = 'both' | 'strong' | 'weak' | 'date' | 'apache' | 'restless' | 'lying' | 'none'

export type Trouble =
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

/** In seconds; the instant, which is then told as an HTTP date; or in whatever words. */
export type RetryAfter = { seconds: number } | { at: Instant } | { words: string }

/**
 * How an answer travels. slow: a few bytes at a time. endless: it never stops. cut: it breaks off in the middle. reset: the
 * connection is thrown away without an answer.
 */
export type Manner = 'plain' | 'slow' | 'endless' | 'cut' | 'reset'

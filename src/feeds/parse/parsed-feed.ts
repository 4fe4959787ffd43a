/**
 * A parsed feed: the model's types (`FeedFacts`, `EntryDraft`) with additional fields. Fields are present only if the document has
 * them. `ParsedEntry` extends `EntryDraft`, so it can be used as one.
 */
import {
  DAY,
  type EntryDraft,
  type FeedFacts,
  type FragmentHabit,
  type Instant,
  type Millis,
  type WebAddress,
} from '../../model/index.ts'

export interface ParsedFeed {
  kind: 'feed'
  facts: FeedFacts
  /** In document order, with unique keys. */
  entries: ParsedEntry[]
  id?: string
  /** The title as HTML, if that has more information than the text. */
  titleHtml?: string
  /** The description as HTML, if that has more information than the text. */
  descriptionHtml?: string
  authors?: FeedPerson[]
  categories?: FeedCategory[]
  rights?: string
  generator?: string
  icon?: string
  image?: string
  publishedAt?: Instant
  updatedAt?: Instant
  /** How long the publisher allows a copy to be cached (RSS `ttl`). */
  ttlMs?: Millis
  /** Hours (GMT) and days of the week (0 = Sunday) at which the publisher asks not to be polled. */
  skipHours?: number[]
  skipDays?: number[]
  /** Update frequency stated by the publisher (`sy:updatePeriod` / `sy:updateFrequency`). */
  updatePeriodMs?: Millis
  /** The next older page of a paged or archived feed (RFC 5005). */
  nextUrl?: WebAddress
  /** The new address stated by the feed (`itunes:new-feed-url`). */
  movedTo?: string
  /** Fragments in its links: one that all share, which was removed, or different ones. */
  fragments?: FragmentHabit
  encoding: string
  /** The document was truncated; only complete parts were parsed. */
  cut?: true
  /** Entries dropped beyond `FEED_LIMITS.entries`. */
  droppedEntries?: number
}

export interface NotAFeed {
  kind: 'not-a-feed'
  reason: string
}

export interface ParsedEntry extends EntryDraft {
  /** The guid or id as given; `key` is derived from it. */
  id?: string
  /** The title as HTML, if that has more information than the text. */
  titleHtml?: string
  /** Summary and content as text, if the feed says that they are plain text. */
  summaryText?: string
  contentText?: string
  /** The dates have no time; `publishedAt` is midnight UTC. */
  dateOnly?: true
  language?: string
  authors?: FeedPerson[]
  contributors?: FeedPerson[]
  categories?: FeedCategory[]
  enclosures?: Enclosure[]
  /** Stills, covers and other small pictures. */
  thumbnails?: Thumbnail[]
  image?: string
  rights?: string
  /** The license's address, else its name. */
  licence?: string
  /** A page for comments, and a feed of the comments. */
  commentsUrl?: string
  commentsFeedUrl?: string
  commentCount?: number
  /** Id of the entry that this one replies to (RFC 4685). */
  inReplyTo?: string
  /** The feed that the entry was republished from. */
  origin?: { title?: string; url?: string }
  /** People of a podcast, with roles. */
  persons?: FeedPerson[]
  place?: { latitude: number; longitude: number }
  durationMs?: Millis
  season?: number
  episode?: number
  explicit?: boolean
  transcripts?: { url: string; type?: string; language?: string }[]
  chaptersUrl?: string
}

export interface FeedPerson {
  name?: string
  email?: string
  url?: string
  role?: string
  image?: string
}

export interface FeedCategory {
  term: string
  label?: string
  scheme?: string
}

export interface Enclosure {
  url: string
  type?: string
  bytes?: number
  title?: string
  durationMs?: Millis
  /** The feed's classification: image, audio, video, document, executable. */
  medium?: string
  width?: number
  height?: number
  isDefault?: true
}

export interface Thumbnail {
  url: string
  width?: number
  height?: number
}

/** Our own limits: far above what real feeds contain, low enough to make hostile ones cheap. */
export const FEED_LIMITS = {
  /** Entries per document, from its top. */
  entries: 10_000,
  /** Addresses read from a sitemap, from its top: as many as the protocol allows. */
  sitemapAddresses: 50_000,
  /** The newest entries kept of a sitemap, and how much older than the newest one they may be. */
  sitemapEntries: 1_000,
  sitemapMs: 30 * DAY,
  /** Characters of titles, names and other one-line texts. */
  line: 2_000,
  /** Characters of an address; longer ones are invalid. */
  url: 8_192,
  /** Characters of a base address. */
  base: 2_048,
  /** Categories, enclosures, people and other list items per entry. */
  list: 100,
  /** Entities declared by a document, and characters of each. */
  entities: 256,
  entityChars: 4_096,
  /** Characters that all uses of declared entities may add. */
  entityGrowth: 262_144,
}

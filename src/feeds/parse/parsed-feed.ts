/**
 * What a feed says, read: the model's words (`FeedFacts`, `EntryDraft`) and, beside them, what a feed may say beyond them.
 * A field is there only when the document has it. `ParsedEntry` is an `EntryDraft`, so whoever wants no more takes it as one.
 */
import type { EntryDraft, FeedFacts, FragmentHabit, Instant, Millis, WebAddress } from '../../model/index.ts'

export interface ParsedFeed {
  kind: 'feed'
  facts: FeedFacts
  /** In the order of the document, each with a key of its own. */
  entries: ParsedEntry[]
  id?: string
  /** The title as HTML, where it is more than its text. */
  titleHtml?: string
  /** The description as HTML, where it is more than its text. */
  descriptionHtml?: string
  authors?: FeedPerson[]
  categories?: FeedCategory[]
  rights?: string
  generator?: string
  icon?: string
  image?: string
  publishedAt?: Instant
  updatedAt?: Instant
  /** For how long the publisher allows a copy to be kept (RSS `ttl`). */
  ttlMs?: Millis
  /** Hours of the day, GMT, and days of the week, 0 = Sunday, at which the publisher asks not to be read. */
  skipHours?: number[]
  skipDays?: number[]
  /** How often the publisher says the feed is updated (`sy:updatePeriod` by `sy:updateFrequency`). */
  updatePeriodMs?: Millis
  /** The next older document of a paged or archived feed (RFC 5005). */
  nextUrl?: WebAddress
  /** Where the feed says it has moved (`itunes:new-feed-url`). */
  movedTo?: string
  /** Whether its links had fragments: one that all share, which was taken off, or others. */
  fragments?: FragmentHabit
  encoding: string
  /** The document broke off: what was whole is here, the rest is missing. */
  cut?: true
  /** How many entries were left out because there were more than `FEED_LIMITS.entries`. */
  leftOut?: number
}

export interface NotAFeed {
  kind: 'not-a-feed'
  reason: string
}

export interface ParsedEntry extends EntryDraft {
  /** The guid or id as the feed gives it; `key` is made of it. */
  id?: string
  /** The title as HTML, where it is more than its text. */
  titleHtml?: string
  /** The summary and the content as text, where the feed says that they are text and no HTML. */
  summaryText?: string
  contentText?: string
  /** The stamps name a day and no time of day: `publishedAt` is that day's midnight, UTC. */
  dateOnly?: true
  language?: string
  authors?: FeedPerson[]
  contributors?: FeedPerson[]
  categories?: FeedCategory[]
  enclosures?: Enclosure[]
  /** Stills, covers and other small pictures of what it holds. */
  thumbnails?: Thumbnail[]
  image?: string
  rights?: string
  /** The address of its licence, else its name. */
  licence?: string
  /** A page for people to comment on, and a feed of the comments. */
  commentsUrl?: string
  commentsFeedUrl?: string
  commentCount?: number
  /** The entry's id that this one answers to (RFC 4685). */
  inReplyTo?: string
  /** The feed that the entry was taken from. */
  origin?: { title?: string; url?: string }
  /** Those of a podcast, with what they do. */
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
  /** What the feed calls it: image, audio, video, document, executable. */
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

/** Chosen by us: far above what honest feeds contain, low enough that a hostile one costs little. */
export const FEED_LIMITS = {
  /** Entries kept of one document, from its top. */
  entries: 10_000,
  /** Characters of a title, an author's name and other one-line texts. */
  line: 2_000,
  /** Characters of an address; a longer one is no address. */
  url: 8_192,
  /** Characters of a base that relative addresses are resolved against. */
  base: 2_048,
  /** Categories, enclosures, people and such of one entry. */
  list: 100,
  /** Entities that a document may define for itself, and characters each may stand for. */
  entities: 256,
  entityChars: 4_096,
  /** Characters that all uses of such entities may add to a document. */
  entityGrowth: 262_144,
}

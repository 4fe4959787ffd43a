/** What people give us when they do not know, or do not care, where the feed is. */
import type { WebAddress } from './address.ts'
import type { Credentials } from './credentials.ts'
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import type { Instant } from './time.ts'

export type SourceId = number & { readonly of: 'source' }

/** Characters of what people call things: titles, folders, categories. An address of our API has room for them. */
export const LONGEST_LABEL = 1_000

/** What lists and programs that others made call things, as much of it as is kept. */
export function shortLabel(label: string): string {
  return label.length > LONGEST_LABEL ? label.slice(0, LONGEST_LABEL).toWellFormed() : label
}

/** The same of what is said of a feed. */
export function withShortLabels<Said extends { title?: string | null; folder?: string | null }>(said: Said): Said {
  const { title, folder } = said
  return { ...said, ...(title && { title: shortLabel(title) }), ...(folder && { folder: shortLabel(folder) }) }
}

/** What a person says of a feed before it is there. */
export interface AboutFeed {
  name?: string
  category?: string
  titlePrefix?: string
}

/** looking: its feed is still to be found; found: it led to `feedId`. A source that fails is looked at ever more seldom. */
export interface Source {
  readonly id: SourceId
  url: WebAddress
  root: string
  folder?: string
  /** For its site, and the feed that is found there. */
  credentials?: Credentials
  /** For the feed that is found there, by a person's word. */
  about?: AboutFeed
  /** So is its feed. */
  listed?: true
  addedAt: Instant
  state: 'looking' | 'found'
  feedId?: FeedId
  /** Further feeds of the site, best first. */
  others?: WebAddress[]
  dueAt: Instant
  failures: number
  trouble?: Failure
}

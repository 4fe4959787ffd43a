/** Addresses that users add without knowing where the feed is. */
import type { WebAddress } from './address.ts'
import type { Credentials } from './credentials.ts'
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import type { Instant } from './time.ts'

export type SourceId = number & { readonly of: 'source' }

/** Characters of titles, folders and categories. They fit into URLs of our API. */
export const LONGEST_LABEL = 1_000

/** Truncates a label from an import or a program. */
export function shortLabel(label: string): string {
  return label.length > LONGEST_LABEL ? label.slice(0, LONGEST_LABEL).toWellFormed() : label
}

/** Truncates title and folder of a feed. */
export function withShortLabels<Said extends { title?: string | null; folder?: string | null }>(said: Said): Said {
  const { title, folder } = said
  return { ...said, ...(title && { title: shortLabel(title) }), ...(folder && { folder: shortLabel(folder) }) }
}

/** Settings a user gives for a feed before it exists. */
export interface AboutFeed {
  name?: string
  category?: string
  titlePrefix?: string
}

/** looking: its feed is still to be found. found: it led to `feedId`. Failing sources are retried with backoff. */
export interface Source {
  readonly id: SourceId
  url: WebAddress
  root: string
  folder?: string
  /** For its site, and for the feed found there. */
  credentials?: Credentials
  /** Settings for the feed found there. */
  about?: AboutFeed
  /** Listed by the operator; applies to its feed as well. */
  listed?: true
  addedAt: Instant
  state: 'looking' | 'found'
  feedId?: FeedId
  /** Other feeds of the site, best first. */
  others?: WebAddress[]
  dueAt: Instant
  failures: number
  trouble?: Failure
}

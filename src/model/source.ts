/** Addresses that users add without knowing where the feed is. */
import type { WebAddress } from './address.ts'
import type { FeedCredentials } from './credentials.ts'
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import type { FetchSettings } from './fetch-settings.ts'
import type { Instant } from './time.ts'

export type SourceId = number & { readonly of: 'source' }

/** Characters of titles, folders and categories. They fit into URLs of our API. */
export const MAX_LABEL_LENGTH = 1_000

/** Truncates a label from an import or a program. */
export function truncateLabel(label: string): string {
  return label.length > MAX_LABEL_LENGTH ? label.slice(0, MAX_LABEL_LENGTH).toWellFormed() : label
}

/** Truncates title and folder of a feed. */
export function truncateLabels<Labels extends { title?: string | null; folder?: string | null }>(
  labels: Labels,
): Labels {
  const { title, folder } = labels
  return { ...labels, ...(title && { title: truncateLabel(title) }), ...(folder && { folder: truncateLabel(folder) }) }
}

/** Settings a user gives for a feed before it exists. */
export interface AboutFeed {
  name?: string
  category?: string
  titlePrefix?: string
  /** Without secrets. */
  fetching?: FetchSettings
}

/** looking: its feed is still to be found. found: it led to `feedId`. Failing sources are retried with backoff. */
export interface Source {
  readonly id: SourceId
  url: WebAddress
  root: string
  folder?: string
  /** For its site, and for the feed found there. */
  credentials?: FeedCredentials
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

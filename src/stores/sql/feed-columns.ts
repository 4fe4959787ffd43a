/** Column values of feeds, how feeds are counted, and how changes apply to them. */
import { type Feed, isPrivateFeed, type Schedule } from '../../model/index.ts'
import type { FeedChange } from '../../ports/index.ts'
import type { FeedCountKey } from './count-changes.ts'
import { haystackOf, jsonOrNull } from './rows.ts'

/** All columns except id, address and date added, in the order of `feedColumns`. */
export const FEED_COLUMN_NAMES = [
  'root',
  'title',
  'description',
  'site_url',
  'language',
  'category',
  'hub',
  'format',
  'folder',
  'credentials',
  'etag',
  'last_modified',
  'body_hash',
  'window_hash',
  'subscribers',
  'hints',
  'wants',
  'ends',
  'bucket',
  'moving',
  'title_prefix',
  'articles',
  'gap_at',
  'errand',
  'sought_at',
  'successor_url',
  'name',
  'own_category',
  'built_at',
  'found_by',
  'fragments',
  'listed',
  'private',
  'publisher_title',
  'quirks',
  'fetching',
  'haystack',
] as const

export function feedColumns(feed: Omit<Feed, 'id'>): (string | number | null)[] {
  return [
    feed.root,
    feed.title,
    feed.description ?? null,
    feed.siteUrl ?? null,
    feed.language ?? null,
    feed.category ?? null,
    feed.hub ?? null,
    feed.format ?? null,
    feed.folder ?? null,
    jsonOrNull(feed.credentials),
    feed.validators.etag ?? null,
    feed.validators.lastModified ?? null,
    feed.bodyHash ?? null,
    feed.windowHash ?? null,
    feed.subscribers,
    jsonOrNull(feed.hints),
    jsonOrNull(feed.wants),
    jsonOrNull(feed.ends),
    feed.bucket ?? null,
    jsonOrNull(feed.moving),
    feed.titlePrefix ?? null,
    feed.articles ?? null,
    feed.gapAt ?? null,
    jsonOrNull(feed.followUp),
    feed.siteSearchedAt ?? null,
    feed.successorUrl ?? null,
    feed.name ?? null,
    feed.ownCategory ?? null,
    feed.builtAt ?? null,
    feed.foundBy ?? null,
    feed.fragments ?? null,
    feed.listed ? 1 : null,
    isPrivateFeed(feed) ? 1 : null,
    feed.publisherTitle ?? null,
    jsonOrNull(feed.quirks),
    jsonOrNull(feed.fetching),
    haystackOf(feed.title, feed.url),
  ]
}

export function feedCountKey(feed: Pick<Feed, 'state'>, schedule: Schedule): FeedCountKey {
  return {
    state: feed.state,
    troubled: schedule.trouble !== undefined,
    polled: schedule.polledAt !== undefined,
  }
}

/** Null removes a field. */
export function applyFeedChange(feed: Feed, change: FeedChange): Feed {
  const fields = Object.entries({ ...feed, ...withoutUndefined(change) })
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as unknown as Feed
}

/** Drops fields that are undefined: in a change they mean the same as absent ones. */
export function withoutUndefined<T extends object>(change: T): T {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T
}

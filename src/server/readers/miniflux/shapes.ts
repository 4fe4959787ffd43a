/** Feeds, categories and entries as Miniflux's API writes them. Settings that only Miniflux has are at their default. */
import type { FollowedFeed, Instant, User, UserId } from '../../../model/index.ts'
import type { FolderNumberOf } from '../folders.ts'
import { enclosuresOf, type ReaderItem } from '../reader-adapter.ts'

/** Miniflux has no feed without a category. */
export const UNSORTED = 'All'
const NEVER = '0001-01-01T00:00:00Z'
const WORDS_PER_MINUTE = 265

export interface ShapeContext {
  userId: UserId
  numberOf: FolderNumberOf
}

export function categoryShape(folder: string, id: number, userId: UserId) {
  return { id, title: folder || UNSORTED, user_id: userId, hide_globally: false }
}

export function minifluxFeedShape(feed: FollowedFeed, { userId, numberOf }: ShapeContext) {
  const { feedId, url, shownTitle, folder = '', succeededAt, polledAt, dueAt, failures, failure = '' } = feed
  return {
    id: feedId,
    user_id: userId,
    feed_url: url,
    site_url: feed.siteUrl ?? url,
    title: shownTitle,
    description: feed.description ?? '',
    checked_at: dateText(succeededAt ?? polledAt),
    next_check_at: dateText(dueAt),
    etag_header: feed.etag ?? '',
    last_modified_header: feed.lastModified ?? '',
    parsing_error_message: failure,
    parsing_error_count: failures,
    scraper_rules: '',
    rewrite_rules: '',
    crawler: feed.articles === 'always',
    blocklist_rules: '',
    keeplist_rules: '',
    urlrewrite_rules: '',
    user_agent: '',
    cookie: '',
    username: '',
    password: '',
    disabled: feed.state !== 'active',
    no_media_player: false,
    ignore_http_cache: false,
    allow_self_signed_certificates: false,
    fetch_via_proxy: false,
    hide_globally: false,
    category: categoryShape(folder, numberOf(folder), userId),
    icon: { feed_id: feedId, icon_id: feedId, external_icon_id: '' }, // /icons/:id takes the same number
  }
}

export function minifluxEntryShape(item: ReaderItem, feed: FollowedFeed | undefined, context: ShapeContext) {
  const { id, feedId, title, url = '', html, author = '', publishedAt, seenAt, state, tags } = item
  const { userId } = context
  return {
    id,
    user_id: userId,
    feed_id: feedId,
    status: state.read === false ? 'unread' : 'read',
    hash: id.toString(16).padStart(16, '0'),
    title,
    url,
    comments_url: '',
    published_at: dateText(publishedAt),
    created_at: dateText(seenAt),
    changed_at: dateText(changedAtOf(item)),
    content: html,
    author,
    share_code: '',
    starred: state.starred,
    reading_time: readingMinutes(html),
    enclosures: enclosureShapes(item, userId),
    tags,
    language: item.language ?? '',
    ...(feed && { feed: minifluxFeedShape(feed, context) }),
  }
}

/** More than an entry has. */
const ENCLOSURES_PER_ENTRY = 100

/** The number of an enclosure is that of its entry and its position. */
export function enclosureShapes(item: Pick<ReaderItem, 'id' | 'media'>, userId: UserId) {
  return enclosuresOf(item).map(({ url, type = '', bytes = 0 }, i) => ({
    id: item.id * ENCLOSURES_PER_ENTRY + i,
    user_id: userId,
    entry_id: item.id,
    url,
    mime_type: type,
    size: bytes,
    media_progression: 0,
  }))
}

export function entryOfEnclosure(enclosure: number): number {
  return Math.floor(enclosure / ENCLOSURES_PER_ENTRY)
}

export function readingMinutes(html: string): number {
  const words = html.length / 6 // an estimate is enough here
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE))
}

/** Read and starred states have no date here, so they do not count as changes. */
export function changedAtOf({ changedAt, seenAt }: { changedAt?: Instant; seenAt: Instant }): Instant {
  return changedAt ?? seenAt
}

export function minifluxUserShape({ id, name, scope }: Pick<User, 'id' | 'name' | 'scope'>) {
  return {
    id,
    username: name,
    is_admin: scope === 'admin',
    theme: 'system_serif',
    language: 'en_US',
    timezone: 'UTC',
    entry_sorting_direction: 'desc',
    entry_sorting_order: 'published_at',
    entries_per_page: 100,
    last_login_at: null,
  }
}

export function dateText(at: number | undefined): string {
  return at === undefined ? NEVER : new Date(at).toISOString()
}

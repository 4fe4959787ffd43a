/** Feeds, categories and entries as Miniflux's API writes them. Settings that only Miniflux has are at their default. */
import type { FollowedFeed, UserId } from '../../../model/index.ts'
import { folderNumber } from '../folder-number.ts'
import { enclosuresOf, type ReaderItem } from '../reader-adapter.ts'

/** Miniflux has no feed without a category. */
export const UNSORTED = 'All'
const NEVER = '0001-01-01T00:00:00Z'
const WORDS_PER_MINUTE = 265

export function categoryShape(folder: string, userId: UserId) {
  return { id: folderNumber(folder), title: folder || UNSORTED, user_id: userId, hide_globally: false }
}

export function minifluxFeedShape(feed: FollowedFeed, userId: UserId) {
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
    category: categoryShape(folder, userId),
    icon: { feed_id: feedId, icon_id: feedId }, // /icons/:id takes the same number
  }
}

export function minifluxEntryShape(item: ReaderItem, feed: FollowedFeed | undefined, userId: UserId) {
  const { id, feedId, title, url = '', html, author = '', publishedAt, seenAt, changedAt, state, tags } = item
  const words = html.length / 6 // an estimate is enough here
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
    changed_at: dateText(changedAt ?? seenAt),
    content: html,
    author,
    share_code: '',
    starred: state.starred,
    reading_time: Math.max(1, Math.round(words / WORDS_PER_MINUTE)),
    enclosures: enclosuresOf(item).map(({ url: href, type = '', bytes = 0 }, i) => ({
      id: id * 100 + i,
      user_id: userId,
      entry_id: id,
      url: href,
      mime_type: type,
      size: bytes,
      media_progression: 0,
    })),
    tags,
    ...(feed && { feed: minifluxFeedShape(feed, userId) }),
  }
}

function dateText(at: number | undefined): string {
  return at === undefined ? NEVER : new Date(at).toISOString()
}

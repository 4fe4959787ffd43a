/**
 * JSON files of readers, recognized by their content: the Google Reader format, Miniflux (`entries` and `feeds` of its API), NewsBlur
 * (`stories`), Tiny Tiny RSS (headlines of its API), lists of saved pages, and the data that `freshet import` sends to a server.
 */
import { plainText } from '../../html/index.ts'
import { parseUserAddress } from '../discover/user-address.ts'
import { googleReaderEntry, googleReaderSubscription, isGoogleReaderItem } from './google-reader-items.ts'
import {
  dateIn,
  flagIn,
  isObject,
  type JsonObject,
  listIn,
  objectIn,
  objectsIn,
  stringIn,
  stringsIn,
} from './json-values.ts'
import type { RawEntry, ReaderDataCollector } from './reader-data.ts'

export type JsonFormat = 'google-reader' | 'miniflux' | 'newsblur' | 'tt-rss' | 'saved-pages' | 'freshet'

/** Undefined if it is of no known format. */
export function* collectJson(value: unknown, collector: ReaderDataCollector): Generator<void, JsonFormat | undefined> {
  if (Array.isArray(value)) return yield* collectList(value.filter(isObject), collector)
  if (!isObject(value)) return undefined
  if (value.freshetImport === 1) {
    for (const item of objectsIn(value, 'subscriptions')) addSubscription(item, collector)
    for (const item of objectsIn(value, 'entries')) yield collector.addEntry(freshetEntry(item))
    return 'freshet'
  }
  if (Array.isArray(value.items)) {
    const stream = stringIn(value, 'id') ?? ''
    for (const item of objectsIn(value, 'items')) yield collector.addEntry(googleReaderEntry(item, stream))
    return 'google-reader'
  }
  if (Array.isArray(value.subscriptions)) {
    for (const item of objectsIn(value, 'subscriptions'))
      yield addSubscription(googleReaderSubscription(item), collector)
    return 'google-reader'
  }
  if (Array.isArray(value.stories)) {
    const feeds = newsBlurFeeds(value)
    for (const story of objectsIn(value, 'stories')) yield collector.addEntry(newsBlurEntry(story, feeds))
    return 'newsblur'
  }
  if (Array.isArray(value.starred_stories))
    return yield* collectJson({ ...value, stories: value.starred_stories }, collector)
  if (Array.isArray(value.entries)) return yield* collectList(objectsIn(value, 'entries'), collector)
  if (Array.isArray(value.content)) return yield* collectList(objectsIn(value, 'content'), collector)
  if (isGoogleReaderItem(value)) return yield* collectList([value], collector)
  return undefined
}

function* collectList(items: JsonObject[], collector: ReaderDataCollector): Generator<void, JsonFormat | undefined> {
  const [first] = items
  if (!first) return undefined
  const kind = kindOfItem(first)
  if (!kind) return undefined
  for (const item of items) yield ADD[kind](item, collector)
  return FORMAT_OF[kind]
}

type ItemKind = keyof typeof ADD

const ADD = {
  item: (item: JsonObject, to: ReaderDataCollector) => to.addEntry(googleReaderEntry(item)),
  minifluxEntry: (item: JsonObject, to: ReaderDataCollector) => to.addEntry(minifluxEntry(item)),
  minifluxFeed: (item: JsonObject, to: ReaderDataCollector) => addSubscription(minifluxFeed(item), to),
  newsBlurStory: (item: JsonObject, to: ReaderDataCollector) => to.addEntry(newsBlurEntry(item, new Map())),
  headline: (item: JsonObject, to: ReaderDataCollector) => to.addEntry(headlineEntry(item)),
  page: (item: JsonObject, to: ReaderDataCollector) => to.addEntry(savedPage(item)),
}

const FORMAT_OF: Record<ItemKind, JsonFormat> = {
  item: 'google-reader',
  minifluxEntry: 'miniflux',
  minifluxFeed: 'miniflux',
  newsBlurStory: 'newsblur',
  headline: 'tt-rss',
  page: 'saved-pages',
}

function kindOfItem(item: JsonObject): ItemKind | undefined {
  if (isGoogleReaderItem(item)) return 'item'
  if ('story_permalink' in item || 'story_title' in item) return 'newsBlurStory'
  if ('marked' in item && ('link' in item || 'title' in item)) return 'headline'
  if ('feed_url' in item) return 'minifluxFeed'
  if ('status' in item && 'url' in item) return 'minifluxEntry'
  return stringIn(item, 'url', 'link') === undefined ? undefined : 'page'
}

function minifluxEntry(entry: JsonObject): RawEntry {
  const feed = objectIn(entry, 'feed')
  const status = stringIn(entry, 'status')
  return {
    feedUrl: stringIn(feed, 'feed_url'),
    siteUrl: stringIn(feed, 'site_url'),
    feedTitle: stringIn(feed, 'title'),
    url: stringIn(entry, 'url'),
    title: stringIn(entry, 'title'),
    publishedAt: dateIn(entry, 'published_at'),
    author: stringIn(entry, 'author'),
    content: stringIn(entry, 'content'),
    read: status === 'read' ? true : status === 'unread' ? false : undefined,
    starred: flagIn(entry, 'starred'),
  }
}

function minifluxFeed(feed: JsonObject) {
  const category = stringIn(objectIn(feed, 'category'), 'title')
  return {
    url: stringIn(feed, 'feed_url'),
    title: stringIn(feed, 'title'),
    siteUrl: stringIn(feed, 'site_url'),
    // The name of the category that every feed is in by default.
    folder: category === 'All' ? undefined : category,
    user: stringIn(feed, 'username'),
    password: stringIn(feed, 'password'),
  }
}

/** Feeds by number; a list, or an object by number. */
function newsBlurFeeds(answer: JsonObject): ReadonlyMap<string, JsonObject> {
  const feeds = isObject(answer.feeds) ? Object.values(answer.feeds) : listIn(answer, 'feeds')
  return new Map(
    feeds.filter(isObject).flatMap((feed) => {
      const id = stringIn(feed, 'id', 'feed_id')
      return id === undefined ? [] : [[id, feed] as const]
    }),
  )
}

/** Saved stories are all starred; their ids are the guids of the feed. */
function newsBlurEntry(story: JsonObject, feeds: ReadonlyMap<string, JsonObject>): RawEntry {
  const feed = feeds.get(stringIn(story, 'story_feed_id') ?? '') ?? {}
  const starred = flagIn(story, 'starred')
  return {
    feedUrl: stringIn(feed, 'feed_address'),
    siteUrl: stringIn(feed, 'feed_link'),
    feedTitle: stringIn(feed, 'feed_title') ?? stringIn(story, 'story_feed_title'),
    url: stringIn(story, 'story_permalink'),
    guid: stringIn(story, 'story_guid', 'id'),
    title: stringIn(story, 'story_title'),
    publishedAt: dateIn(story, 'story_timestamp', 'story_date'),
    author: stringIn(story, 'story_authors'),
    content: stringIn(story, 'story_content'),
    read: flagIn(story, 'read_status'),
    starred: starred ?? 'starred_date' in story,
    labels: stringsIn(story, 'user_tags'),
  }
}

/** Labels are lists of number, name and colors. */
function headlineEntry(article: JsonObject): RawEntry {
  const unread = flagIn(article, 'unread')
  const labels = listIn(article, 'labels').flatMap((label) =>
    Array.isArray(label) && typeof label[1] === 'string' ? [label[1]] : [],
  )
  return {
    feedUrl: stringIn(article, 'feed_url'),
    siteUrl: stringIn(article, 'site_url'),
    feedTitle: stringIn(article, 'feed_title'),
    url: stringIn(article, 'link'),
    guid: stringIn(article, 'guid'),
    title: stringIn(article, 'title'),
    publishedAt: dateIn(article, 'updated'),
    author: stringIn(article, 'author'),
    content: stringIn(article, 'content'),
    read: unread === undefined ? undefined : !unread,
    starred: flagIn(article, 'marked'),
    labels,
  }
}

/** A page that was saved for later. */
function savedPage(page: JsonObject): RawEntry {
  const title = stringIn(page, 'title', 'name')
  return {
    feedUrl: stringIn(page, 'feedUrl', 'feed_url'),
    siteUrl: stringIn(page, 'siteUrl', 'site_url'),
    feedTitle: stringIn(page, 'feedTitle', 'source', 'feed'),
    url: stringIn(page, 'url', 'link'),
    title: title && plainText(title),
    publishedAt: dateIn(page, 'published', 'publishedAt', 'date', 'created', 'time'),
    author: stringIn(page, 'author'),
    content: stringIn(page, 'content', 'summary'),
    starred: true,
    labels: stringsIn(page, 'tags'),
  }
}

function freshetEntry(entry: JsonObject): RawEntry {
  return {
    feedUrl: stringIn(entry, 'feedUrl'),
    siteUrl: stringIn(entry, 'siteUrl'),
    feedTitle: stringIn(entry, 'feedTitle'),
    url: stringIn(entry, 'url'),
    guid: stringIn(entry, 'guid'),
    title: stringIn(entry, 'title'),
    publishedAt: dateIn(entry, 'publishedAt'),
    author: stringIn(entry, 'author'),
    content: stringIn(entry, 'content'),
    read: flagIn(entry, 'read'),
    starred: flagIn(entry, 'starred'),
    labels: stringsIn(entry, 'labels'),
  }
}

function addSubscription(item: JsonObject, collector: ReaderDataCollector): void {
  const address = parseUserAddress(stringIn(item, 'url') ?? '')
  if (!address) {
    collector.skip()
    return
  }
  const own = objectIn(item, 'credentials')
  const [user, password] = [
    stringIn(own, 'user') ?? stringIn(item, 'user'),
    stringIn(own, 'password') ?? stringIn(item, 'password'),
  ]
  const credentials = user === undefined ? address.credentials : { user, password: password ?? '' }
  const title = lineIn(item, 'title')
  const folder = lineIn(item, 'folder')
  const site = parseUserAddress(stringIn(item, 'siteUrl') ?? '')?.url
  collector.addSubscription({
    url: address.url,
    kind: item.kind === 'site' ? 'site' : 'feed',
    ...(credentials && { credentials }),
    ...(title && title !== address.url && { title }),
    ...(site && { siteUrl: site }),
    ...(folder && { folder }),
  })
}

const MAX_NAME = 1000

function lineIn(item: JsonObject, name: string): string | undefined {
  return stringIn(item, name)?.slice(0, MAX_NAME).replace(/\s+/g, ' ').trim().toWellFormed()
}

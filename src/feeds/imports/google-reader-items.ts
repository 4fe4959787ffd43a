/**
 * Items of the Google Reader format, which Inoreader, FreshRSS, Feedly and servers of its API write: `{"items": [...]}`, or one item per
 * line. State is in the categories of an item, or in the id of the whole stream. Feedly writes tags, and `unread` instead of a category.
 */
import { plainText } from '../../html/index.ts'
import { dateIn, flagIn, type JsonObject, listIn, objectIn, objectsIn, stringIn, stringsIn } from './json-values.ts'
import type { RawEntry } from './reader-data.ts'

const STARRED = /^user\/[^/]*\/(?:state\/[\w.]+\/starred|tag\/global\.saved)$/
const READ = /^user\/[^/]*\/(?:state\/[\w.]+\/read|tag\/global\.read)$/
const UNREAD = /^user\/[^/]*\/state\/[\w.]+\/(?:kept-)?unread$/
const LABEL = /^user\/[^/]*\/label\/(.+)$/

export function isGoogleReaderItem(value: JsonObject): boolean {
  return Array.isArray(value.canonical) || Array.isArray(value.alternate) || 'origin' in value
}

/** `stream`: the id of the stream that the items are from. */
export function googleReaderEntry(item: JsonObject, stream = ''): RawEntry {
  const tags = objectsIn(item, 'tags')
  const states = [...stringsIn(item, 'categories'), ...tags.flatMap((tag) => stringIn(tag, 'id') ?? [])]
  const origin = objectIn(item, 'origin')
  const title = stringIn(item, 'title')
  const unread = flagIn(item, 'unread')
  const isRead = states.some((state) => READ.test(state))
  const isUnread = unread === true || states.some((state) => UNREAD.test(state))
  const ownLabels = states.flatMap((state) => LABEL.exec(state)?.[1] ?? [])
  const tagLabels = tags.flatMap((tag) =>
    STARRED.test(stringIn(tag, 'id') ?? '') ? [] : (stringIn(tag, 'label') ?? []),
  )
  return {
    feedUrl: feedAddress(origin),
    siteUrl: stringIn(origin, 'htmlUrl'),
    feedTitle: stringIn(origin, 'title'),
    url: hrefIn(item, 'canonical') ?? stringIn(item, 'canonicalUrl') ?? hrefIn(item, 'alternate'),
    guid: stringIn(item, 'guid', 'originId'),
    title: title && plainText(title),
    publishedAt: dateIn(item, 'published', 'crawled'),
    author: stringIn(item, 'author'),
    content: stringIn(objectIn(item, 'content'), 'content') ?? stringIn(objectIn(item, 'summary'), 'content'),
    read: isRead ? true : isUnread ? false : unread === false ? true : undefined,
    starred: STARRED.test(stream) || states.some((state) => STARRED.test(state)),
    labels: [...ownLabels, ...tagLabels],
  }
}

/** A stream id is `feed/` and the address, or on some servers `feed/` and a number. */
function feedAddress(origin: JsonObject): string | undefined {
  const url = stringIn(origin, 'feedUrl')
  if (url !== undefined) return url
  const stream = stringIn(origin, 'streamId')?.replace(/^feed\//, '')
  return stream !== undefined && /^https?:/i.test(stream) ? stream : undefined
}

function hrefIn(item: JsonObject, name: string): string | undefined {
  for (const link of listIn(item, name)) {
    const href = typeof link === 'object' && link !== null ? stringIn(link as JsonObject, 'href') : undefined
    if (href !== undefined) return href
  }
  return undefined
}

/** A subscription of the list that servers of the API return. */
export function googleReaderSubscription(item: JsonObject) {
  const [category] = objectsIn(item, 'categories')
  return {
    url: stringIn(item, 'url') ?? stringIn(item, 'id')?.replace(/^feed\//, ''),
    title: stringIn(item, 'title'),
    siteUrl: stringIn(item, 'htmlUrl', 'website'),
    folder: category && stringIn(category, 'label'),
  }
}

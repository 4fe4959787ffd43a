/**
 * Writes outgoing feeds in three formats. Documents are well-formed whatever the titles contain, and titles stay text: characters that
 * XML does not allow are removed, and in RSS, where readers disagree whether a title is text or HTML, markup is escaped for those that
 * read it as HTML. Entries without a title have none in RSS and JSON; Atom requires one, which is the beginning of the text. Equal feeds
 * give equal bytes.
 */
import { createHash } from 'node:crypto'
import type { OutgoingFeed, OutgoingItem } from '../../views/index.ts'

/** Loaded with the first request for a feed, because it has many small files. */
type Smith = typeof import('feedsmith')

export type FeedOutFormat = 'rss' | 'atom' | 'json'

export const FEED_TYPES: Record<FeedOutFormat, string> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
}

interface Places {
  /** The address of the feed. */
  selfUrl: string
  /** The address of the page. */
  homeUrl: string
  /** The WebSub hub that announces changes. */
  hubUrl?: string
}

export async function writeFeedOut(feed: OutgoingFeed, format: FeedOutFormat, places: Places): Promise<string> {
  const smith = await import('feedsmith')
  const clean = { ...feed, title: xmlText(feed.title), items: feed.items.map(cleanItem) }
  switch (format) {
    case 'rss':
      return withoutIndents(rss(smith, clean, places))
    case 'atom':
      return withoutIndents(atom(smith, clean, places))
    case 'json':
      return JSON.stringify(json(smith, clean, places))
  }
}

const DESCRIPTION = 'Entries collected by Freshet.'

function rss(smith: Smith, { title, changedAt, items }: OutgoingFeed, places: Places): string {
  const { selfUrl, homeUrl, hubUrl } = places
  return smith.generateRssFeed({
    title: textForHtml(title),
    link: homeUrl,
    description: DESCRIPTION,
    lastBuildDate: new Date(changedAt),
    generator: 'Freshet',
    atom: { links: [{ href: selfUrl, rel: 'self', type: FEED_TYPES.rss }, ...hubLink(hubUrl)] },
    items: items.map((item) => ({
      ...(!item.isUntitled && { title: textForHtml(item.title) }),
      ...(item.url && { link: item.url }),
      guid: { value: stableId(item), isPermaLink: false },
      description: item.html,
      pubDate: new Date(item.publishedAt),
      dc: { creators: [textForHtml(authorOf(item))] },
      categories: item.tags.map((name) => ({ name: textForHtml(name) })),
      ...(item.source && { source: { title: textForHtml(item.feedTitle ?? item.source.url), url: item.source.url } }),
      enclosures: item.recordings.map(({ url, type, bytes }) => ({ url, type: typeOf(type), length: bytes ?? 0 })),
    })),
  })
}

function atom(smith: Smith, { title, changedAt, items }: OutgoingFeed, places: Places): string {
  const { selfUrl, homeUrl, hubUrl } = places
  return smith.generateAtomFeed({
    id: `urn:uuid:${uuidOf(selfUrl)}`,
    title: { value: title, type: 'text' },
    updated: new Date(changedAt),
    generator: { text: 'Freshet' },
    links: [
      { href: selfUrl, rel: 'self', type: FEED_TYPES.atom },
      { href: homeUrl, rel: 'alternate', type: 'text/html' },
      ...hubLink(hubUrl),
    ],
    entries: items.map((item) => ({
      id: item.idOverride ?? stableId(item),
      title: { value: item.title || 'Untitled', type: 'text' },
      published: new Date(item.publishedAt),
      updated: new Date(item.changedAt ?? item.publishedAt),
      authors: [{ name: authorOf(item) }],
      content: { value: item.html, type: 'html' },
      categories: [...item.tags.map((term) => ({ term })), ...(item.labels ?? [])],
      links: [
        ...(item.url ? [{ href: item.url, rel: 'alternate' }] : []),
        ...item.recordings.map(({ url, type, bytes }) => ({
          href: url,
          rel: 'enclosure',
          type: typeOf(type),
          ...(bytes !== undefined && { length: bytes }),
        })),
      ],
      ...(item.feedTitle && { source: atomSource(item.feedTitle, item.source) }),
    })),
  })
}

function atomSource(title: string, source: OutgoingItem['source']) {
  const text = { title: { value: title, type: 'text' } as const }
  if (!source) return text
  const { url, siteUrl } = source
  const site = siteUrl ? [{ href: siteUrl, rel: 'alternate' }] : []
  return { ...text, id: url, links: [{ href: url, rel: 'self' }, ...site] }
}

/** JSON Feed has no element for the feed of an item, so it is in an extension, as the specification describes them. */
function json(smith: Smith, { title, items }: OutgoingFeed, { selfUrl, homeUrl, hubUrl }: Places): unknown {
  const written = smith.generateJsonFeed({
    title,
    home_page_url: homeUrl,
    feed_url: selfUrl,
    ...(hubUrl && { hubs: [{ type: 'WebSub', url: hubUrl }] }),
    description: DESCRIPTION,
    items: items.map((item) => ({
      id: stableId(item),
      ...(item.url && { url: item.url }),
      ...(!item.isUntitled && { title: item.title }),
      content_html: item.html,
      date_published: new Date(item.publishedAt),
      date_modified: new Date(item.changedAt ?? item.publishedAt),
      authors: [{ name: authorOf(item) }],
      ...(item.language && { language: item.language }),
      tags: item.tags,
      attachments: item.recordings.map(({ url, type, bytes, durationMs }) => ({
        url,
        mime_type: typeOf(type),
        ...(bytes !== undefined && { size_in_bytes: bytes }),
        ...(durationMs !== undefined && { duration_in_seconds: Math.round(durationMs / 1000) }),
      })),
    })),
  }) as { items?: object[] }
  const extended = (written.items ?? []).map((item, i) => ({ ...item, ...jsonSource(items[i]!) }))
  return { ...written, items: extended }
}

function jsonSource({ feedTitle, source }: OutgoingItem) {
  if (!feedTitle) return {}
  const addresses = source && { feed_url: source.url, ...(source.siteUrl && { home_page_url: source.siteUrl }) }
  return { _freshet: { source: { title: feedTitle, ...addresses } } }
}

function hubLink(hubUrl: string | undefined): { href: string; rel: string }[] {
  return hubUrl ? [{ href: hubUrl, rel: 'hub' }] : []
}

/** Stable as long as the entry is stored, whatever address the server has. */
function stableId({ id, seenAt }: OutgoingItem): string {
  return `urn:uuid:${uuidOf(`${id} ${seenAt}`)}`
}

/** RFC 9562, version 8 (custom). */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function authorOf({ author, feedTitle }: OutgoingItem): string {
  return author || feedTitle || 'Unknown'
}

function typeOf(type: string | undefined): string {
  return type && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream'
}

function cleanItem(item: OutgoingItem): OutgoingItem {
  const { url, author, feedTitle } = item
  return {
    ...item,
    title: xmlText(item.title).replace(/\s+/g, ' ').trim(),
    html: xmlText(item.html),
    tags: item.tags.map((tag) => xmlText(tag).trim()).filter(Boolean),
    ...(url !== undefined && { url: webAddress(url) }),
    ...(author && { author: xmlText(author) }),
    ...(feedTitle && { feedTitle: xmlText(feedTitle) }),
  }
}

/** A normalized http(s) address, or empty. */
function webAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : ''
}

/** XML 1.0 does not allow most control characters, lone surrogates, U+FFFE and U+FFFF, not even escaped. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]+/g, '')
}

function textForHtml(text: string): string {
  if (!/<[a-z/!?]|&(?:#|[a-z]+;)/i.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The generator puts CDATA on separate lines; readers that do not trim would add the whitespace to addresses and titles. */
function withoutIndents(xml: string): string {
  return xml.replace(/>\n\s*<!\[CDATA\[/g, '><![CDATA[').replace(/\]\]>\n\s*<\//g, ']]></')
}

/** Writes a window of posts as RSS 2.0, RSS 1.0, Atom, JSON Feed or sitemap. */
import type { Instant } from '../../model/index.ts'
import { changedAt, type Post, titleAt } from './history.ts'
import { element, escaped, paragraphsInHtml } from './markup.ts'
import {
  chapterLine,
  chaptersOf,
  type MediaFile,
  mediaPath,
  POST_PICTURE,
  POST_RECORDING,
  POST_THUMBNAIL,
} from './media.ts'
import type { FeedSpec, TownLanguage } from './spec.ts'

export interface FeedDocument {
  spec: FeedSpec
  title: string
  language: TownLanguage
  /** The site's address with a trailing slash. */
  home: string
  selfUrl: string
  /** The next older document. */
  nextUrl?: string
  hubUrl?: string
  /** Newest first. */
  posts: readonly Post[]
  at: Instant
  /** The entries have a recording with chapters and a transcript, or a picture, which may be in their texts. */
  files?: 'recordings' | 'pictures' | 'pictures in texts'
}

export const CONTENT_TYPES = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  rdf: 'application/rdf+xml',
  json: 'application/feed+json',
  sitemap: 'application/xml',
}

export function writeFeed(document: FeedDocument): string {
  switch (document.spec.format ?? 'rss') {
    case 'rss':
      return rss(document)
    case 'atom':
      return atom(document)
    case 'rdf':
      return rdf(document)
    case 'json':
      return json(document)
    case 'sitemap':
      return sitemap(document)
  }
}

function rss(document: FeedDocument): string {
  const { spec, title, language, home, selfUrl, posts } = document
  const items = posts.map((post) => {
    const { url, key, publishedAt, summary, content } = entryOf(document, post)
    return `<item>
${element('title', titleAt(post, document.at))}${element('link', url)}${element('guid', key, { isPermaLink: 'false' })}\
${element('pubDate', date(publishedAt)?.toUTCString())}${element('dc:creator', post.author)}\
${element('category', post.category)}${element('description', summary)}${element('content:encoded', content)}\
${filesOf(document, post)}</item>
`
  })
  return `${declaration(spec)}<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"${document.files ? MODULES : ''}>
<channel>
${element('title', title)}${element('link', home)}${element('description', title)}${element('language', language)}\
${element('ttl', spec.ttlMinutes?.toString())}<atom:link rel="self" type="application/rss+xml" href="${escaped(selfUrl)}"/>
${furtherLinks('atom:link', document)}${spec.extra ?? ''}${items.join('')}</channel>
</rss>
`
}

const MODULES = ` xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" \
xmlns:media="http://search.yahoo.com/mrss/"`

function filesOf({ files, home }: FeedDocument, post: Post): string {
  const at = (file: MediaFile) => escaped(new URL(mediaPath(post, file), home).href)
  if (files === 'recordings')
    return `<enclosure url="${at('wav')}" length="${POST_RECORDING.bytes}" type="${POST_RECORDING.type}"/>
<itunes:image href="${at('png')}"/>
<itunes:duration>${POST_RECORDING.seconds}</itunes:duration>
<podcast:person role="host">${escaped(post.author)}</podcast:person>
<podcast:transcript url="${at('vtt')}" type="text/vtt"/>
<podcast:chapters url="${at('chapters')}" type="application/json+chapters"/>
`
  if (files === 'pictures') {
    const size = ({ width, height }: { width: number; height: number }) => `width="${width}" height="${height}"`
    return `<media:group><media:content url="${at('png')}" type="${POST_PICTURE.type}" ${size(POST_PICTURE)}/>
<media:thumbnail url="${at('png')}?small" ${size(POST_THUMBNAIL)}/></media:group>
`
  }
  return ''
}

function atom(document: FeedDocument): string {
  const { spec, title, language, home, selfUrl, posts, at } = document
  const newestAt = Math.max(0, ...posts.map((post) => changedAt(post, at)))
  const entries = posts.map((post) => {
    const { url, key, publishedAt, updatedAt, summary, content } = entryOf(document, post)
    return `<entry>
${element('title', titleAt(post, at))}<link rel="alternate" href="${escaped(url)}"/>
${element('id', key)}${element('published', isoDate(publishedAt))}\
${element('updated', isoDate(updatedAt))}<author>${element('name', post.author)}</author>
${post.category ? `<category term="${escaped(post.category)}"/>\n` : ''}${element('summary', summary)}\
${element('content', content, { type: 'html' })}${filesOf(document, post)}</entry>
`
  })
  return `${declaration(spec)}<feed xmlns="http://www.w3.org/2005/Atom"${document.files ? MODULES : ''} xml:lang="${language}">
${element('title', title)}${element('id', home)}<link rel="self" href="${escaped(selfUrl)}"/>
<link rel="alternate" type="text/html" href="${escaped(home)}"/>
${furtherLinks('link', document)}${spec.extra ?? ''}${element('updated', isoDate(newestAt))}${entries.join('')}</feed>
`
}

function furtherLinks(name: string, { nextUrl, hubUrl }: FeedDocument): string {
  const link = (rel: string, href?: string) => (href ? `<${name} rel="${rel}" href="${escaped(href)}"/>\n` : '')
  return link('next', nextUrl) + link('hub', hubUrl)
}

function rdf(document: FeedDocument): string {
  const { spec, title, language, home, selfUrl, posts, at } = document
  const urls = posts.map((post) => escaped(entryOf(document, post).url))
  const items = posts.map((post, i) => {
    const { url, publishedAt, summary, content } = entryOf(document, post)
    return `<item rdf:about="${urls[i]}">
${element('title', titleAt(post, at))}${element('link', url)}${element('description', summary)}\
${element('content:encoded', content)}${element('dc:creator', post.author)}${element('dc:date', isoDate(publishedAt))}</item>
`
  })
  return `${declaration(spec)}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel rdf:about="${escaped(selfUrl)}">
${element('title', title)}${element('link', home)}${element('description', title)}${element('dc:language', language)}\
<items><rdf:Seq>${urls.map((url) => `<rdf:li rdf:resource="${url}"/>`).join('')}</rdf:Seq></items>
</channel>
${items.join('')}</rdf:RDF>
`
}

function json(document: FeedDocument): string {
  const { title, language, home, selfUrl, hubUrl, posts, at } = document
  const items = posts.map((post) => {
    const { url, key, publishedAt, updatedAt, summary, content } = entryOf(document, post)
    return {
      id: key,
      url,
      title: titleAt(post, at),
      authors: [{ name: post.author }],
      summary,
      content_html: content,
      date_published: isoDate(publishedAt),
      date_modified: isoDate(updatedAt),
      tags: post.category && [post.category],
    }
  })
  const version = 'https://jsonfeed.org/version/1.1'
  const hubs = hubUrl && [{ type: 'WebSub', url: hubUrl }]
  return JSON.stringify({ version, title, home_page_url: home, feed_url: selfUrl, language, hubs, items }, null, 1)
}

/** With titles for news (Google's extension), or without contents a plain one, which begins with the front page. */
function sitemap(document: FeedDocument): string {
  const { spec, title, language, home, posts, at } = document
  const newestAt = Math.max(0, ...posts.map((post) => changedAt(post, at)))
  const publication = `<news:publication>${element('news:name', title)}${element('news:language', language)}</news:publication>`
  const urls = posts.map((post) => {
    const { url, publishedAt, updatedAt } = entryOf(document, post)
    if (spec.content === 'none') return `<url>${element('loc', url)}${element('lastmod', isoDate(updatedAt))}</url>\n`
    return `<url>${element('loc', url)}<news:news>${publication}
${element('news:publication_date', isoDate(publishedAt))}${element('news:title', titleAt(post, at))}</news:news></url>
`
  })
  const front =
    spec.content === 'none' ? `<url>${element('loc', home)}${element('lastmod', isoDate(newestAt))}</url>\n` : ''
  return `${declaration(spec)}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" \
xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
${front}${urls.join('')}</urlset>
`
}

interface WrittenEntry {
  url: string
  key: string | undefined
  publishedAt: Instant | undefined
  updatedAt: Instant | undefined
  summary: string | undefined
  content: string | undefined
}

function entryOf({ spec, home, at, files }: FeedDocument, post: Post): WrittenEntry {
  const { content = 'summary', dated = true, keyed = true } = spec
  const picture = files === 'pictures in texts' ? `<p><img src="${escaped(mediaPath(post, 'png'))}" alt=""></p>\n` : ''
  return {
    url: home + post.path.slice(1),
    key: keyed ? `tag:${new URL(home).hostname},2024:${post.id}` : undefined,
    publishedAt: dated ? post.at : undefined,
    updatedAt: dated ? changedAt(post, at) : undefined,
    summary: content === 'none' ? undefined : post.paragraphs[0],
    content:
      files === 'recordings' && content !== 'none'
        ? showNotes(post)
        : content === 'full'
          ? picture + paragraphsInHtml(post.paragraphs)
          : undefined,
  }
}

/** What an episode is about, and its chapters, one in a line. */
function showNotes(post: Post): string {
  const lines = chaptersOf(post).map((chapter) => escaped(chapterLine(chapter)))
  return `${paragraphsInHtml(post.paragraphs.slice(0, 1))}\n<p>${lines.join('<br>\n')}</p>`
}

function declaration({ charset = 'utf-8' }: FeedSpec): string {
  return `<?xml version="1.0" encoding="${charset}"?>\n`
}

function isoDate(at: Instant | undefined): string | undefined {
  return date(at)?.toISOString()
}

function date(at: Instant | undefined): Date | undefined {
  return at === undefined ? undefined : new Date(at)
}

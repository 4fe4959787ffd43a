/**
 * The village's response to a request: a pure function of request, time and state, independent of the transport. The
 * order of checks is that of a real server: host, faults, path, validators, compression.
 */
import { gzipSync } from 'node:zlib'
import { DAY, type Instant } from '../../model/index.ts'
import { drawIcon } from './drawing.ts'
import { CONTENT_TYPES, writeFeed } from './feed-document.ts'
import { changedAt, type Post } from './history.ts'
import { mediaPath, mediaReply, postOfMedia } from './media.ts'
import { detourOf, linkPath, pageKindOf, rewritePost } from './page-behavior.ts'
import { type Announcement, articlePage, consentPage, homePage, loginPage, missingPage } from './pages.ts'
import {
  htmlReply,
  httpDate,
  orNotModified,
  packReply,
  type Reply,
  rangeReply,
  textReply,
  type VillageRequest,
  withHeaders,
  withValidators,
} from './reply.ts'
import type { Fault, FeedSpec, RetryAfter, TownLanguage } from './spec.ts'
import { faultAt, feedAt, type VillageSiteState, type VillageState } from './town.ts'

/** Undefined if no such host exists. */
export function villageAnswer(town: VillageState, request: VillageRequest, at: Instant): Reply | undefined {
  const url = URL.parse(request.url)
  if (!url?.hostname.endsWith(SUFFIX)) return undefined
  const name = url.hostname.slice(0, -SUFFIX.length)
  const hosted = feedAt(town, name, url.pathname)
  const site = hosted?.site ?? town.sites.get(name)
  if (!site) return keepsFeeds(town, name) ? NOTHING : undefined

  const visit: Visit = { site, feed: hosted?.feed, url, request, at }
  const reply = respond(visit, faultAt(site, url.pathname, at))
  return packReply({ ...reply, headers: { date: httpDate(at), ...reply.headers } }, request, site.spec.packing)
}

/** A site's address with a trailing slash, for requests through that port. */
export function findSite(name: string, port: string): string {
  return `http://${name}${SUFFIX}${port && `:${port}`}/`
}

const SUFFIX = '.localhost'
const NOTHING: Reply = textReply(404, 'This host only keeps feeds for others.\n')
const HOME_POSTS = 15
const YEAR = 365 * DAY

interface Visit {
  site: VillageSiteState
  /** The feed at this address, if any. */
  feed: FeedSpec | undefined
  url: URL
  request: VillageRequest
  at: Instant
}

function respond(visit: Visit, fault: Fault | undefined): Reply {
  const { request, at } = visit
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return textReply(405, 'Look, but do not touch.\n', { allow: 'GET, HEAD' })
  }
  switch (fault?.kind) {
    case undefined:
      return show(visit)
    case 'status': {
      const { status, retryAfter } = fault
      return textReply(status, `${status}\n`, retryAfterHeader(retryAfter))
    }
    case 'rush-hour': {
      const { status, everyMs, forMs, retryAfter } = fault
      const overAt = Math.floor(at / everyMs) * everyMs + forMs
      if (at >= overAt) return show(visit)
      const retryAfterText = retryAfter === 'date' ? httpDate(overAt + 999) : String(Math.ceil((overAt - at) / 1000))
      return textReply(status, 'One at a time, please.\n', { 'retry-after': retryAfterText })
    }
    case 'moved':
      return textReply(fault.status, 'It has moved.\n', { location: fault.to, ...retryAfterHeader(fault.retryAfter) })
    case 'headers':
      return orNotModified(withHeaders(show(unconditionally(visit)), fault.headers), request)
    case 'document':
      return textReply(200, fault.text, { 'content-type': fault.type })
    case 'login':
      return htmlReply(200, loginPage(pageSite(visit)))
    case 'empty':
      return htmlReply(200, '')
    case 'broken-xml':
      return show(visit, breakXml)
    case 'huge':
      return show(visit, (document) => swell(document, fault.bytes))
    default:
      // A response without a body could be neither slow nor truncated.
      return { ...show(unconditionally(visit)), manner: fault!.kind }
  }
}

function retryAfterHeader(retryAfter: RetryAfter | undefined): Record<string, string> {
  if (!retryAfter) return {}
  if ('words' in retryAfter) return { 'retry-after': retryAfter.words }
  return { 'retry-after': 'at' in retryAfter ? httpDate(retryAfter.at) : String(retryAfter.seconds) }
}

function keepsFeeds(town: VillageState, name: string): boolean {
  return [...town.sites.values()].some((site) => site.feeds.some((feed) => feed.on === name))
}

function show(visit: Visit, isBroken: (document: string) => string = (document) => document): Reply {
  const { site, feed, url, at } = visit
  if (feed) return showFeed(visit, feed, isBroken)
  const document = site.spec.documents?.[url.pathname]
  if (document) return textReply(200, document.text, { 'content-type': document.type ?? 'text/html; charset=utf-8' })
  if (url.pathname === '/') {
    const feeds = announcements(visit)
    const page = htmlReply(200, homePage(pageSite(visit), site.posts.recent(at, HOME_POSTS), feeds, at))
    const link = linkHeader(feeds)
    return link ? { ...page, headers: { ...page.headers, link } } : page
  }
  if (url.pathname === '/robots.txt') return robots(site)
  if (url.pathname === '/favicon.ico' && site.spec.pictures)
    return { status: 200, headers: { 'content-type': 'image/png' }, body: drawIcon(site.name), manner: 'plain' }
  const detour = detourOf(url.pathname)
  const target = detour && site.posts.find(detour, at)
  if (target) return textReply(302, 'This way.\n', { location: target.path })
  const media = postOfMedia(url.pathname)
  const post = postAt(site, media?.path ?? url.pathname, at)
  if (!post) return htmlReply(404, missingPage(pageSite(visit)))
  return media
    ? rangeReply(mediaReply(post, media.file, url.search === '?small'), visit.request)
    : showArticle(visit, post)
}

function postAt({ posts }: VillageSiteState, path: string, at: Instant): Post | undefined {
  const id = /^\/\d{4}\/\d\d\/[a-z0-9-]*-([a-z0-9.]+)$/.exec(path)?.[1]
  return id ? posts.find(id, at) : undefined
}

function showArticle(visit: Visit, post: Post): Reply {
  const { site, at } = visit
  const { pages = {} } = site.spec
  const kind = pageKindOf(site.name, pages, post)
  const asks = kind === 'noindex' || kind === 'noarchive' ? kind : undefined
  const picture = site.spec.pictures ? mediaPath(post, 'png') : undefined
  const page = () => articlePage(pageSite(visit), post, at, { asks, canonical: pages.canonical ?? post.path, picture })
  switch (kind) {
    case 'wall':
      return htmlReply(200, consentPage(pageSite(visit)))
    case 'missing':
      return htmlReply(404, missingPage(pageSite(visit)))
    case 'pdf':
      return { status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7\n', manner: 'plain' }
    case 'hidden': {
      const reply = htmlReply(200, page())
      return { ...reply, headers: { ...reply.headers, 'x-robots-tag': 'noindex' } }
    }
    default:
      return htmlReply(200, page())
  }
}

function showFeed(visit: Visit, spec: FeedSpec, spoil: (document: string) => string): Reply {
  const { site, url, request, at } = visit
  const { format = 'rss', charset = 'utf-8', validators = 'both', maxAgeS } = spec
  const page = Number(url.searchParams.get('page') ?? 1)
  const posts = postsIn(site, spec, at, page)
  const linked = posts.map((post) =>
    rewritePost(
      { ...post, path: linkPath(site.spec.pages ?? {}, post), at: post.at - (spec.yearsBehind ?? 0) * YEAR },
      spec.rewrites,
      at,
    ),
  )
  const nextUrl = spec.paged && posts.length > 0 ? new URL(`?page=${page + 1}`, url).href : undefined
  const files = site.storyGenerator.voice === 'podcast' ? 'recordings' : PICTURES_IN_FEED[site.spec.pictures ?? 'page']
  const { language, home } = pageSite(visit)
  const document = spoil(
    writeFeed({
      spec,
      title: feedTitle(site, spec),
      language,
      home,
      selfUrl: url.href,
      posts: linked,
      at,
      ...(files && { files }),
      ...(nextUrl && { nextUrl }),
      ...(spec.hub && { hubUrl: findSite('hub', url.port) }),
    }),
  )
  const reply: Reply = {
    status: 200,
    headers: {
      'content-type': `${CONTENT_TYPES[format]}; charset=${charset}`,
      ...(maxAgeS !== undefined && { 'cache-control': `max-age=${maxAgeS}` }),
    },
    body: bytesOf(document, spec),
    manner: 'plain',
  }
  const lastChangeAt = Math.max(0, ...posts.map((post) => changedAt(post, at)))
  return withValidators(reply, validators, lastChangeAt, request, at)
}

const PICTURES_IN_FEED = { feed: 'pictures', text: 'pictures in texts', page: undefined } as const

function postsIn(site: VillageSiteState, { about, window = 20 }: FeedSpec, at: Instant, page: number): Post[] {
  const upTo = window * page
  const posts =
    about === 'comments'
      ? site.comments.recent(at, upTo)
      : site.posts.recent(at, upTo, about && ((post) => post.category === about.category))
  return posts.slice(upTo - window)
}

function announcements({ site, url }: Visit): Announcement[] {
  return site.feeds.flatMap((feed) => {
    const { format = 'rss', announced = 'link', on, path } = feed
    if (announced === 'no') return []
    const address = on ? findSite(on, url.port) + path.slice(1) : path
    return [{ how: announced, url: address, type: CONTENT_TYPES[format], title: feedTitle(site, feed) }]
  })
}

/** RFC 8288. */
function linkHeader(feeds: Announcement[]): string {
  const inHeader = feeds.filter(({ how: placement }) => placement === 'header')
  return inHeader.map(({ url, type }) => `<${url}>; rel="alternate"; type="${type}"`).join(', ')
}

function feedTitle(site: VillageSiteState, { about }: FeedSpec): string {
  if (!about) return site.title
  return about === 'comments' ? `Comments on ${site.title}` : `${site.title}: ${about.category}`
}

function pageSite({ site, url }: Visit): { title: string; language: TownLanguage; home: string } {
  return { title: site.title, language: site.storyGenerator.language, home: findSite(site.name, url.port) }
}

function robots({ spec }: VillageSiteState): Reply {
  if (typeof spec.robots === 'number') return textReply(spec.robots, 'No rules to be had.\n')
  return textReply(200, spec.robots ?? 'User-agent: *\nDisallow: /attic/\n')
}

function unconditionally(visit: Visit): Visit {
  const { 'if-none-match': _, 'if-modified-since': __, ...headers } = visit.request.headers
  return { ...visit, request: { ...visit.request, headers } }
}

function bytesOf(document: string, { charset, path }: FeedSpec): string | Uint8Array {
  const body = charset === 'iso-8859-1' ? inLatin1(document) : document
  return path.endsWith('.gz') ? gzipSync(body) : body
}

/** Characters outside ISO-8859-1 are written as character references. */
function inLatin1(document: string): Uint8Array {
  return Buffer.from(
    document.replace(/[^\x00-\xff]/gu, (sign) => `&#${sign.codePointAt(0)};`),
    'latin1',
  )
}

/**
 * Malformed XML as found in practice: a leading blank line, bare ampersands, undeclared entities, and a missing end.
 */
function breakXml(document: string): string {
  const bare = document.replace('</title>', ' & S&ouml;hne&nbsp;</title>').replaceAll('<link>', '<br><link>')
  return `\n${bare.slice(0, Math.max(0, bare.lastIndexOf('</item>')))}`
}

function swell(document: string, bytes: number): string {
  const filling = 'And so on, and so on. '
  const end = document.lastIndexOf('</')
  return `${document.slice(0, end)}<!-- ${filling.repeat(Math.ceil(bytes / filling.length))} -->${document.slice(end)}`
}

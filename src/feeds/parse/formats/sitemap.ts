/**
 * Reads a sitemap (sitemaps.org) with the news, image and video extensions as a feed: the newest of its addresses become entries.
 *
 * - A sitemap speaks only for its own site, so addresses of other sites are ignored. So is the front page.
 * - Alternates with `hreflang` are translations: of one text in several languages, the first is an entry.
 * - `lastmod` says when a page was changed. If most addresses have the same one, it says when the sitemap was generated, and is ignored.
 * - If most addresses have a date, those without are not articles, and the newest entries are kept. Otherwise nothing tells which end of
 *   the document is the newer one, so both are kept.
 */
import { copyString, titleText } from '../../../html/index.ts'
import { type Instant, type WebAddress, webAddress } from '../../../model/index.ts'
import { linkAddress } from '../address.ts'
import { type ParsedDate, parseDate } from '../dates/parse-date.ts'
import type { KeylessEntry } from '../keys.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, elementText, type XmlElement } from '../xml/element.ts'
import { createXmlNames, type NamedElement, UNKNOWN } from '../xml/element-names.ts'
import { type Root, rootElement } from '../xml/prolog.ts'
import { walk } from '../xml/walk.ts'
import type { XmlText } from '../xml/xml-text.ts'
import type { FeedHead } from './feed.ts'
import { truncateLine } from './text-construct.ts'

export type SameHosts = (a: string, b: string) => boolean

export interface SitemapContext {
  url: string
  now: Instant | undefined
  sameSite: SameHosts | undefined
}

/** One `<url>`, before it is known whether it is among the newest. */
interface Listed {
  url: WebAddress
  published?: ParsedDate | undefined
  updated?: ParsedDate | undefined
  /** News, images and videos. */
  details: XmlElement[]
}

const CONTAINERS = ['urlset', 'url']
const FIELDS = ['loc', 'lastmod', 'news:news', 'image:image', 'video:video', 'xhtml:link']
const ELEMENTS = new Map<string, NamedElement>([
  ...CONTAINERS.map((key) => [key, { key, role: 'container' }] as const),
  ...FIELDS.map((key) => [key, { key, role: 'field' }] as const),
])
const NAMES = createXmlNames('rss', (key) => ELEMENTS.get(key) ?? UNKNOWN, new Map())

/** Images, videos and alternates of one address. */
const MAX_ELEMENTS = 200
/** Fewer equal dates may be a coincidence. */
const MIN_GENERATED = 10

export function readSitemap(
  xml: XmlText,
  root: Root,
  context: SitemapContext,
): { head: FeedHead; entries: KeylessEntry[] } {
  const { listed, dropped, cut } = listAddresses(xml, root, context)
  ignoreGeneratedDates(listed)
  const kept = newest(listed, context.now ?? Number.POSITIVE_INFINITY)
  const entries = kept.map((one) => entryOf(xml, one))
  const droppedEntries = dropped + listed.length - kept.length
  const siteUrl = webAddress(URL.parse('/', context.url)?.href)
  const head: FeedHead = {
    facts: { format: 'sitemap', ...publicationOf(xml, kept), ...(siteUrl && { siteUrl }) },
    ...(cut && { cut }),
    ...(droppedEntries > 0 && { droppedEntries }),
  }
  return { head, entries }
}

function listAddresses(xml: XmlText, root: Root, context: SitemapContext) {
  const listed: Listed[] = []
  const isOwn = createSiteCheck(context)
  const met = new Set<string>()
  let elements: XmlElement[] = []
  let addresses = 0
  let dropped = 0
  let cut: true | undefined

  const finish = () => {
    if (addresses++ >= FEED_LIMITS.sitemapAddresses) {
      dropped++
      return
    }
    const one = readAddress(xml, elements, isOwn)
    if (one === undefined || met.has(one.url)) return
    met.add(one.url)
    for (const translation of one.translations) met.add(translation)
    listed.push(one)
  }
  const element = rootElement(xml, root, NAMES, context.url)
  walk(xml, element.tag.end, xml.text.length, element.scope, {
    open() {
      elements = []
    },
    close(key, wasCut) {
      if (wasCut) cut = true
      else if (key === 'url') finish()
      elements = []
    },
    field(field, wasCut) {
      if (!wasCut && elements.length < MAX_ELEMENTS) elements.push(field)
    },
  })
  return { listed, dropped, cut }
}

function readAddress(
  xml: XmlText,
  elements: XmlElement[],
  isOwn: (url: WebAddress) => boolean,
): (Listed & { translations: WebAddress[] }) | undefined {
  const loc = elements.find(({ key }) => key === 'loc')
  const given = loc && webAddress(linkAddress(elementText(xml, loc), loc.scope.base))
  const url = given && normalized(given)
  if (url === undefined || !isOwn(url)) return undefined
  const lastmod = elements.find(({ key }) => key === 'lastmod')
  const details = elements.filter(({ key }) => DETAILS.has(key))
  const news = newsOf(xml, details)
  const publicationDate = textOf(xml, news, 'news:publication_date')
  return {
    url,
    published: publicationDate === undefined ? undefined : parseDate(publicationDate),
    updated: lastmod && parseDate(elementText(xml, lastmod)),
    details,
    translations: elements.flatMap((element) => translationIn(xml, element) ?? []),
  }
}

const DETAILS = new Set(['news:news', 'image:image', 'video:video'])

function translationIn(xml: XmlText, element: XmlElement): WebAddress | undefined {
  if (element.key !== 'xhtml:link' || attributeOf(xml, element, 'hreflang') === undefined) return undefined
  const given = webAddress(linkAddress(attributeOf(xml, element, 'href'), element.scope.base))
  return given && normalized(given)
}

function normalized(address: WebAddress): WebAddress | undefined {
  return webAddress(new URL(address).href)
}

const MAX_HOSTS = 1_000

/** Whether an address is one of the site, and not its front page. Without an address of the sitemap, every site is its own. */
function createSiteCheck({ url, sameSite = (a, b) => a === b }: SitemapContext): (url: WebAddress) => boolean {
  const host = URL.parse(url)?.hostname
  const answers = new Map<string, boolean>()
  return (address) => {
    const { hostname, pathname, search } = new URL(address)
    if (pathname === '/' && search === '') return false
    if (host === undefined || hostname === host) return true
    let isOwn = answers.get(hostname)
    if (isOwn === undefined) {
      isOwn = sameSite(hostname, host)
      if (answers.size < MAX_HOSTS) answers.set(copyString(hostname), isOwn)
    }
    return isOwn
  }
}

function ignoreGeneratedDates(listed: Listed[]): void {
  const counts = new Map<Instant, number>()
  for (const { updated } of listed) if (updated) counts.set(updated.at, (counts.get(updated.at) ?? 0) + 1)
  for (const [at, count] of counts) {
    if (count < MIN_GENERATED || count * 2 <= listed.length) continue
    for (const one of listed) if (one.updated?.at === at) one.updated = undefined
  }
}

function newest(listed: Listed[], now: Instant): Listed[] {
  const dated = listed.flatMap((one) => {
    const date = one.published ?? one.updated
    return date ? [{ one, at: Math.min(date.at, now) }] : []
  })
  const { sitemapEntries: most, sitemapMs } = FEED_LIMITS
  if (dated.length * 2 <= listed.length) {
    if (listed.length <= most) return listed
    return [...listed.slice(0, most / 2), ...listed.slice(-most / 2)]
  }
  dated.sort((a, b) => b.at - a.at)
  const since = dated[0]!.at - sitemapMs
  return dated
    .slice(0, most)
    .filter(({ at }) => at >= since)
    .map(({ one }) => one)
}

function entryOf(xml: XmlText, { url, published, updated, details }: Listed): KeylessEntry {
  const news = newsOf(xml, details)
  const video = childrenOfFirst(xml, details, 'video:video')
  const image = childrenOfFirst(xml, details, 'image:image')
  const picture = addressOf(xml, image, 'image:loc') ?? addressOf(xml, video, 'video:thumbnail_loc')
  const terms = textOf(xml, news, 'news:keywords')?.split(',', FEED_LIMITS.list) ?? []
  const categories = terms.map((term) => ({ term: lineOf(term) })).filter(({ term }) => term !== '')
  return {
    title: lineOf(textOf(xml, news, 'news:title') ?? textOf(xml, video, 'video:title') ?? ''),
    url,
    ...(published && { publishedAt: published.at }),
    ...(updated && { updatedAt: updated.at }),
    ...((published ?? updated)?.dateOnly && { dateOnly: true }),
    ...(categories.length > 0 && { categories }),
    ...(picture !== undefined && { image: picture }),
  }
}

/** The name and language of the publication, as its first news state them. */
function publicationOf(xml: XmlText, listed: Listed[]): { title?: string; language?: string } {
  const news = listed.find(({ details }) => details.some(({ key }) => key === 'news:news'))
  const publication = news && newsOf(xml, news.details).find(({ key }) => key === 'news:publication')
  const about = publication ? childrenOf(xml, publication) : []
  const title = lineOf(textOf(xml, about, 'news:name') ?? '')
  const language = lineOf(textOf(xml, about, 'news:language') ?? '')
  return { ...(title && { title }), ...(language && { language: language.replaceAll('_', '-') }) }
}

function newsOf(xml: XmlText, details: XmlElement[]): XmlElement[] {
  return childrenOfFirst(xml, details, 'news:news')
}

function childrenOfFirst(xml: XmlText, elements: XmlElement[], key: string): XmlElement[] {
  const first = elements.find((element) => element.key === key)
  return first ? childrenOf(xml, first) : []
}

function textOf(xml: XmlText, elements: XmlElement[], key: string): string | undefined {
  const element = elements.find((child) => child.key === key)
  return element && (elementText(xml, element) || undefined)
}

function addressOf(xml: XmlText, elements: XmlElement[], key: string): WebAddress | undefined {
  return webAddress(linkAddress(textOf(xml, elements, key), ''))
}

function lineOf(text: string): string {
  return truncateLine(titleText(text)).trim()
}

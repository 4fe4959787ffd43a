/**
 * Sitemaps of a site without a feed: those that its robots.txt names, else a few usual addresses; and of a list of sitemaps, the ones with
 * news or the newest articles. Names decide first, since most lists give no dates or the same one for all.
 */
import { type Instant, type WebAddress, webAddress } from '../../model/index.ts'
import { linkAddress } from '../parse/address.ts'
import { parseDate } from '../parse/dates/parse-date.ts'
import { FEED_LIMITS } from '../parse/parsed-feed.ts'
import { elementText, type XmlElement } from '../parse/xml/element.ts'
import { createXmlNames, type NamedElement, UNKNOWN } from '../parse/xml/element-names.ts'
import { walk } from '../parse/xml/walk.ts'
import { createXmlText } from '../parse/xml/xml-text.ts'
import { isSameSite, type SameSite } from './user-address.ts'

/** Usual addresses, the most specific first. */
const USUAL = ['sitemap-news.xml', 'news-sitemap.xml', 'sitemap.xml', 'sitemap_index.xml']

/** Addresses to try, most likely first. `named`: by robots.txt, which may name sitemaps of any site. */
export function sitemapAddresses(site: WebAddress, named: readonly string[], sameSite: SameSite): WebAddress[] {
  const own = named.flatMap((address) => webAddress(address) ?? []).filter((url) => isSameSite(url, site, sameSite))
  if (own.length > 0) return [...new Set(own)].toSorted((a, b) => preference(b) - preference(a) || byNumber(a, b))
  return USUAL.flatMap((path) => webAddress(new URL(`/${path}`, site).href) ?? [])
}

interface Child {
  url: WebAddress
  changedAt: Instant
}

/** The sitemaps in a list of sitemaps, most likely first; none if the document is not a list. */
export function listedSitemaps(document: { text: string; url: WebAddress }, sameSite: SameSite): WebAddress[] {
  const { text, url } = document
  if (!LIST.test(text.slice(0, 4096))) return []
  const children = childrenIn(document).filter((child) => isSameSite(child.url, url, sameSite))
  return children
    .toSorted((a, b) => preference(b.url) - preference(a.url) || b.changedAt - a.changedAt || byNumber(a.url, b.url))
    .map((child) => child.url)
}

const LIST = /<(?:[\w-]+:)?sitemapindex[\s>]/i
const ELEMENTS = new Map<string, NamedElement>([
  ['sitemapindex', { key: 'sitemapindex', role: 'container' }],
  ['sitemap', { key: 'sitemap', role: 'container' }],
  ['loc', { key: 'loc', role: 'field' }],
  ['lastmod', { key: 'lastmod', role: 'field' }],
])
const NAMES = createXmlNames('rss', (key) => ELEMENTS.get(key) ?? UNKNOWN, new Map())

function childrenIn({ text, url }: { text: string; url: WebAddress }): Child[] {
  const xml = createXmlText({ bytes: new Uint8Array(), text }, 'sitemapindex', undefined, { steps: 0 })
  const children = new Map<WebAddress, Child>()
  let loc: XmlElement | undefined
  let lastmod: XmlElement | undefined
  const scope = { base: url, language: undefined, names: NAMES }
  walk(xml, 0, text.length, scope, {
    open() {
      loc = lastmod = undefined
    },
    close(key) {
      const child = key === 'sitemap' && loc && webAddress(linkAddress(elementText(xml, loc), url))
      if (!child || children.size >= FEED_LIMITS.sitemapAddresses) return
      children.set(child, { url: child, changedAt: (lastmod && parseDate(elementText(xml, lastmod))?.at) ?? 0 })
    },
    field(element) {
      if (element.key === 'loc') loc ??= element
      else lastmod ??= element
    },
  })
  return [...children.values()]
}

/** By the words of its path: news, then articles, then any, then what is no article. */
function preference(url: WebAddress): number {
  const { pathname, search } = new URL(url)
  const name = pathname + search
  if (/news(?!letter)/i.test(name)) return 3
  if (/post|article|stor(?:y|ies)|blog/i.test(name)) return 2
  return /page|categor|tag|author|user|product|image|video|archive|local/i.test(name) ? 0 : 1
}

/** Rotating names have the newest last: sitemap-2026-11.xml, post-sitemap12.xml. */
function byNumber(a: string, b: string): number {
  return NUMERIC.compare(b, a)
}

const NUMERIC = new Intl.Collator('en', { numeric: true })

/**
 * Extracts what helps to find a page's feeds: links that declare one, links that might be one, the site's name, the generator. One
 * pass over the tags; links are neither resolved nor judged here, since <base> may come last.
 */
import { decodeEntities } from '../../html/index.ts'
import { readTags, type TagAttributes } from './read-tags.ts'

export interface PageLinks {
  base?: string
  canonical?: string
  /** The site's name, else the page's title. */
  title?: string
  generator?: string
  links: WrittenLink[]
  anchors: WrittenLink[]
  bodyLinks: WrittenLink[]
  /** Links to a blog or news section, by text or path. */
  blogLinks: WrittenLink[]
  /** Target of an immediate meta refresh. */
  refresh?: string
}

interface WrittenLink {
  href: string
  title: string
  /** The link text calls it a feed, whatever its address. */
  isNamedFeed?: true
}

/** Feeds are declared in the head, but heads may contain megabytes of scripts; reading stops here. */
const MAX_PAGE_CHARS = 4_000_000
/** Limit per kind of link: some pages declare hundreds of feeds. */
const MAX_COLLECTED = 300
const MAX_WORDS = 200
const ELEMENTS = new Set(['base', 'link', 'a', 'area', 'title', 'img', 'meta'])

export function extractPageLinks(html: string): PageLinks {
  const page: PageLinks = { links: [], anchors: [], bodyLinks: [], blogLinks: [] }
  let titleText: string | undefined
  let inTitle = false
  let anchor: { href: string; words: string } | undefined

  const closeAnchor = () => {
    if (anchor === undefined) return
    const { href, words } = anchor
    anchor = undefined
    const title = normalizeText(words)
    const isNamedFeed = NAMES_FEED.test(title)
    if (BLOG_WORDS.test(title) || BLOG_PATH.test(href)) collect(page.blogLinks, { href, title })
    if (isNamedFeed || MAY_BE_FEED.test(href))
      collect(page.bodyLinks, { href, title, ...(isNamedFeed && { isNamedFeed }) })
  }
  const openLink = (name: string, attributes: TagAttributes) => {
    const href = attributes.get('href')
    if (!href) return
    const title = normalizeText(attributes.get('title') ?? '')
    if (declaresFeed(attributes)) collect(name === 'link' ? page.links : page.anchors, { href, title })
    else if (name === 'a') anchor = { href, words: `${attributes.get('aria-label') ?? title} ` }
    else if (attributes.get('rel')?.toLowerCase() === 'canonical') page.canonical ??= href
  }

  readTags(html.slice(0, MAX_PAGE_CHARS), 'html', {
    elements: ELEMENTS,
    opened(name, attributes) {
      if (name === 'title') inTitle = titleText === undefined
      else if (name === 'meta') readMeta(page, attributes)
      else if (name === 'base') setFirst(page, 'base', attributes.get('href'))
      else if (name === 'img') addWords(anchor, attributes.get('alt') ?? '')
      else {
        closeAnchor()
        openLink(name, attributes)
      }
      return undefined
    },
    closed(name) {
      if (name === 'title') inTitle = false
      if (name === 'a') closeAnchor()
    },
    text(text) {
      if (inTitle) titleText ??= normalizeText(text)
      else addWords(anchor, text)
    },
  })
  closeAnchor()
  setFirst(page, 'title', titleText)
  return page
}

/**
 * Whether a link declares a feed, by rel and type in any case. Feed-only types need no rel; ambiguous types need `alternate`;
 * `alternate` alone needs an address that looks like a feed. Also applies to the Link header.
 */
export function declaresFeed(attributes: ReadonlyMap<string, string>): boolean {
  const rels = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const type = (attributes.get('type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (rels.includes('stylesheet')) return false
  if (rels.includes('feed')) return type !== 'text/html'
  const alternate = rels.includes('alternate')
  if (FEED_TYPE.test(type)) return alternate || rels.length === 0 || rels.some((rel) => FEED_REL.test(rel))
  if (PERHAPS_FEED_TYPE.test(type)) return alternate
  const otherwiseAlternate = attributes.has('hreflang') || attributes.has('media')
  return type === '' && alternate && !otherwiseAlternate && MAY_BE_FEED.test(attributes.get('href') ?? '')
}

const FEED_TYPE = /^(?:application|text)\/(?:x[.-])?(?:rss|atom|rdf|feed)(?:\+xml|\+json)?$/
const PERHAPS_FEED_TYPE = /^(?:text\/xml|application\/xml|application\/json)$/
const FEED_REL = /^(?:rss|atom|syndication|alternative|service\.feed)$/
const MAY_BE_FEED = /rss|atom|feed|rdf|syndication|index\.xml/i
const NAMES_FEED = /^(?=.{3,40}$)(?:.*\s)?(?:rss|atom)(?:[\s.,:-].*)?$|^(?:news ?|web)?feeds?$/i

const BLOG_WORDS = /^(?:(?:the|our|company) )?(?:blog|journal|weblog|newsroom|news)$/i
const BLOG_PATH = /^(?:https?:\/\/[^/]+)?\/(?:blog|news|journal|newsroom)\/?$/i
const IMMEDIATE_REFRESH = /^\s*[0-5](?:\.\d+)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i

function readMeta(page: PageLinks, attributes: TagAttributes): void {
  const name = (attributes.get('name') ?? attributes.get('property') ?? '').trim().toLowerCase()
  if ((attributes.get('http-equiv') ?? '').trim().toLowerCase() === 'refresh') {
    const to = IMMEDIATE_REFRESH.exec(attributes.get('content') ?? '')?.[1]
    if (to) page.refresh ??= to.trim()
  }
  if (name === 'generator') setFirst(page, 'generator', attributes.get('content'))
  if (name === 'og:site_name') setFirst(page, 'title', attributes.get('content'))
}

/** Sets a field to its first non-empty value. */
function setFirst(page: PageLinks, name: 'base' | 'title' | 'generator', text: string | undefined): void {
  const words = text === undefined || name === 'base' ? text : normalizeText(text)
  if (words && page[name] === undefined) page[name] = words
}

function collect(links: WrittenLink[], link: WrittenLink): void {
  if (links.length < MAX_COLLECTED) links.push(link)
}

function addWords(anchor: { words: string } | undefined, words: string): void {
  if (anchor && anchor.words.length < MAX_WORDS) anchor.words += words.slice(0, MAX_WORDS)
}

function normalizeText(text: string): string {
  return decodeEntities(text.slice(0, MAX_WORDS)).replace(/\s+/g, ' ').trim()
}

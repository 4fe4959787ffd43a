/**
 * Candidate feed addresses, and what an address or a title alone says about a feed. The patterns are those of common publishing
 * systems. A feed of comments or of one tag is a feed, but rarely the one the user wants.
 */
import type { WebAddress } from '../../model/index.ts'

export interface FeedCandidate {
  url: WebAddress
  title?: string
  /**
   * How it was found. `link-header`, `link` and `anchor`: the page declares it as a feed. `body`: a link that looks like a feed.
   * `probe`: a guess. `sitemap`: a sitemap in place of a feed.
   */
  via: 'host-rule' | 'link-header' | 'link' | 'anchor' | 'body' | 'probe' | 'sitemap'
}

/** comments: of readers. part: one tag, author or search of the site. podcast, places: for specialized clients. */
export type SecondaryFeedKind = 'comments' | 'part' | 'podcast' | 'places'

/** The secondary kind that an address indicates, if any. */
export function secondaryKindByAddress(url: WebAddress): SecondaryFeedKind | undefined {
  const path = pathAndQuery(url)
  if (COMMENTS_PLACE.test(path)) return 'comments'
  if (PART_PLACE.test(path)) return 'part'
  if (PODCAST.test(path)) return 'podcast'
  if (/georss/i.test(path)) return 'places'
  return undefined
}

/** The secondary kind that a title indicates, whether of a link or of the feed itself. */
export function secondaryKindByTitle(title: string): SecondaryFeedKind | undefined {
  if (COMMENTS_TITLE.test(title)) return 'comments'
  if (PART_TITLE.test(title)) return 'part'
  if (PODCAST.test(title)) return 'podcast'
  return undefined
}

/** Whether the address looks like a feed's. */
export function isFeedLike(url: WebAddress): boolean {
  const path = pathAndQuery(url)
  return FEED_PLACE.test(path) && !NO_FEED_PLACE.test(path)
}

/**
 * Pages, pictures and API endpoints, which are never feeds whatever the link text says. Addresses that a page declares as feeds by
 * rel and type are only rejected for document types and known endpoints: their path may end in .html, and their query in anything.
 */
export function cannotBeFeed(url: WebAddress, isDeclared = false): boolean {
  if (!isDeclared) return NO_FEED_PLACE.test(pathAndQuery(url))
  return NO_DOCUMENT.test(new URL(url).pathname) || NO_FEED_INTERFACE.test(pathAndQuery(url))
}

/** Whether this host serves feeds on behalf of other sites. */
export function isFeedHost(url: WebAddress): boolean {
  return FEED_HOST.test(new URL(url).hostname)
}

const FEED_HOST =
  /^(?:feeds\d*\.feedburner\.com|feedproxy\.google\.com|feeds\.feedblitz\.com|feeds?\.feedpress\.me|feedpress\.me)$/i

/** Whether the address consists only of words typical of main feeds: /feed, /rss.xml, /feeds/all.atom. */
export function isMainByAddress(url: WebAddress): boolean {
  const nameWords =
    pathAndQuery(url)
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return nameWords.every((word) => MAIN_WORDS.has(word))
}

const MAIN_WORDS = new Set(
  'feed feeds rss atom rdf xml json index all main news latest home homepage frontpage front full blog posts default php aspx asp cgi format type'.split(
    ' ',
  ),
)

const FEED_PLACE =
  /(?:^|[/._?=&-])(?:rss2?|atom|rdf|feeds?|xmlfeed|rssfeed|newsfeed|syndication)(?:[/._?=&0-9-]|$)|\/index\.xml$/i
const NO_FEED_PLACE =
  /\.(?:html?|png|jpe?g|gif|svg|webp|ico|css|js|pdf|zip|mp3|mp4|opml)(?:\?|$)|\/wp-(?:json|content|includes)\/|\/amp\/|oembed/i

const NO_DOCUMENT = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|pdf|zip|mp3|mp4|opml)$/i
const NO_FEED_INTERFACE = /\/wp-(?:json|content|includes)\/|oembed/i

const COMMENTS_PLACE = /(?:^|[/._?=&-])(?:comments?|replies|kommentare|commentaires|comentarios)(?:[/._?=&-]|$)/i
const COMMENTS_TITLE =
  /(?:^|\P{L})(?:comments?|replies|kommentare?|kommentarer|commentaires?|comentarios|comentários|commenti|reacties)(?:\P{L}|$)|комментари|コメント|评论|評論/iu
const PART_PLACE = /(?:^|[/?&])(?:tags?|categor(?:y|ies)|cat|topics?|labels?|authors?|archives?|search|s)[/=]/i
const PART_TITLE = /\b(?:category|tag|author) (?:feed|archives?)\b|\bposts (?:by|tagged)\b|\bsearch results\b/i
const PODCAST = /(?:^|[\s/._?=&-])podcasts?(?:[\s/._?=&-]|$)/i

function pathAndQuery(url: WebAddress): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/**
 * Namespaces: identifies vocabularies by the declared address or a conventional prefix. They are named by their usual prefixes; the two
 * that a document can be written in are `rss` and `atom`.
 */

/** An unknown vocabulary. */
export const UNKNOWN_NAMESPACE = '?'

/** Ignores case, http or https, and a trailing slash or hash. */
export function namespaceByAddress(address: string): string | undefined {
  return NAMESPACES.get(address) ?? NAMESPACES.get(normalAddress(address))
}

/** The meaning of an undeclared prefix. */
export function namespaceByPrefix(prefix: string): string {
  return CONVENTIONS.get(prefix) ?? UNKNOWN_NAMESPACE
}

/** Vocabularies that HTML parsers know without a prefix. */
export function isHtml(vocabulary: string): boolean {
  return vocabulary === 'xhtml' || vocabulary === 'svg' || vocabulary === 'mathml'
}

function normalAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/[/#]$/, '')
}

const CONVENTIONS = new Map<string, string>(
  Object.entries({
    a10: 'atom',
    atom: 'atom',
    atom03: 'atom',
    atom10: 'atom',
    rss: 'rss',
    rss09: 'rss',
    rss1: 'rss',
    rdf: 'rdf',
    dc: 'dc',
    dcterms: 'dcterms',
    content: 'content',
    itunes: 'itunes',
    googleplay: 'googleplay',
    podcast: 'podcast',
    media: 'media',
    sy: 'sy',
    slash: 'slash',
    thr: 'thr',
    wfw: 'wfw',
    georss: 'georss',
    geo: 'geo',
    gml: 'gml',
    feedburner: 'feedburner',
    fh: 'fh',
    xhtml: 'xhtml',
    admin: 'admin',
    cc: 'cc',
    creativecommons: 'cc',
    psc: 'psc',
    news: 'news',
    image: 'image',
    video: 'video',
  }),
)

/** In their usual spelling. */
const ADDRESSES = {
  'http://www.w3.org/2005/Atom': 'atom',
  'http://purl.org/atom/ns#': 'atom',
  'http://purl.org/atom/app': 'app',
  'http://www.w3.org/2007/app': 'app',
  'http://purl.org/rss/1.0/': 'rss',
  'http://purl.org/net/rss1.1': 'rss',
  'http://purl.org/rss/2.0': 'rss',
  'http://my.netscape.com/rdf/simple/0.9/': 'rss',
  'http://channel.netscape.com/rdf/simple/0.9/': 'rss',
  'http://my.netscape.com/publish/formats/rss-0.91.dtd': 'rss',
  'http://backend.userland.com/rss': 'rss',
  'http://backend.userland.com/rss2': 'rss',
  'http://backend.userland.com/rss091': 'rss',
  'http://backend.userland.com/blogChannelModule': 'blogchannel',
  'http://blogs.law.harvard.edu/tech/rss': 'rss',
  'http://cyber.law.harvard.edu/rss/rss.html': 'rss',
  'http://www.rssboard.org/rss-specification': 'rss',
  // A sitemap's elements are as unprefixed as those of RSS.
  'http://www.sitemaps.org/schemas/sitemap/0.9': 'rss',
  'http://www.google.com/schemas/sitemap/0.84': 'rss',
  'http://www.google.com/schemas/sitemap-news/0.9': 'news',
  'http://www.google.com/schemas/sitemap-image/1.1': 'image',
  'http://www.google.com/schemas/sitemap-video/1.1': 'video',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://purl.org/dc/elements/1.0/': 'dc',
  'http://purl.org/dc/terms/': 'dcterms',
  'http://purl.org/rss/1.0/modules/content/': 'content',
  'http://purl.org/rss/1.0/modules/syndication/': 'sy',
  'http://purl.org/rss/1.0/modules/slash/': 'slash',
  'http://purl.org/rss/1.0/modules/threading/': 'thread',
  'http://purl.org/syndication/thread/1.0': 'thr',
  'http://purl.org/syndication/history/1.0': 'fh',
  'http://wellformedweb.org/CommentAPI/': 'wfw',
  'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes',
  'http://www.google.com/schemas/play-podcasts/1.0': 'googleplay',
  'http://www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd': 'googleplay',
  'https://podcastindex.org/namespace/1.0': 'podcast',
  'https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md': 'podcast',
  'http://podlove.org/simple-chapters': 'psc',
  'http://search.yahoo.com/mrss/': 'media',
  'http://search.yahoo.com/mrss/.': 'media',
  'http://tools.search.yahoo.com/mrss': 'media',
  'http://video.search.yahoo.com/mrss': 'media',
  'http://www.georss.org/georss': 'georss',
  'http://www.w3.org/2003/01/geo/wgs84_pos#': 'geo',
  'http://www.opengis.net/gml': 'gml',
  'http://rssnamespace.org/feedburner/ext/1.0': 'feedburner',
  'http://webns.net/mvcb/': 'admin',
  'http://backend.userland.com/creativeCommonsRssModule': 'cc',
  'http://cyber.law.harvard.edu/rss/creativeCommonsRssModule.html': 'cc',
  'http://www.w3.org/1999/xhtml': 'xhtml',
  'http://www.w3.org/2000/svg': 'svg',
  'http://www.w3.org/1998/Math/MathML': 'mathml',
}

/** In their usual spelling as a fast path, and normalized. */
const NAMESPACES = new Map<string, string>()
for (const [address, vocabulary] of Object.entries(ADDRESSES)) {
  NAMESPACES.set(address, vocabulary).set(normalAddress(address), vocabulary)
}

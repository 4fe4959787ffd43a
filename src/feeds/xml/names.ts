/**
 * What an element is called, whatever prefix its author chose. `wordOf(names, 'DC:Creator')` has the key "dc:creator" when the
 * prefix stands for Dublin Core, or when nobody said what it stands for; elements of the feed's own vocabulary (RSS in an RSS
 * document, Atom in an Atom document) have no prefix in their key.
 */

/** The two vocabularies that a document itself can be written in. */
export type Family = 'rss' | 'atom'

/**
 * What an element is to us: a container is gone into (channel, item, entry), a field is taken as a slice of the text,
 * whatever is inside, and what is unknown is passed over with all that is inside.
 */
export type Role = 'container' | 'field' | 'unknown'

export interface Word {
  key: string
  role: Role
}

/** Keys -> words. One that is always the same object, with the same string in it, is compared at no cost. */
export type Lexicon = (key: string) => Word

export interface Names {
  readonly family: Family
  readonly lexicon: Lexicon
  /** Prefix in lower case -> our prefix; '' is the default namespace. */
  readonly prefixes: ReadonlyMap<string, string>
  /** Names as written -> what they mean. */
  readonly words: Map<string, Word>
}

export const UNKNOWN: Word = { key: '?', role: 'unknown' }

/** As every element may copy them, a document cannot have as many as it likes. */
const MOST_PREFIXES = 256

export function createNames(family: Family, lexicon: Lexicon, prefixes: ReadonlyMap<string, string>): Names {
  return { family, lexicon, prefixes, words: new Map() }
}

/** The names that hold inside an element with these declarations ([prefix, address] pairs). `atRoot`: it is the document's first. */
export function declareNames(names: Names, declarations: [string, string][], atRoot: boolean): Names {
  const prefixes = new Map(names.prefixes)
  for (const [prefix, address] of declarations) {
    if (prefixes.size >= MOST_PREFIXES) break
    const ours = NAMESPACES.get(normalAddress(address))
    // Whatever the root's own default namespace is, its elements are the vocabulary of the document.
    if (prefix === '') prefixes.set('', atRoot || ours === undefined ? names.family : ours)
    else prefixes.set(prefix, ours ?? CONVENTIONS.get(prefix) ?? '?')
  }
  return createNames(names.family, names.lexicon, prefixes)
}

export function wordOf(names: Names, raw: string): Word {
  const known = names.words.get(raw)
  if (known !== undefined) return known
  const word = resolve(names, raw)
  names.words.set(raw, word)
  return word
}

function resolve(names: Names, raw: string): Word {
  const colon = raw.indexOf(':')
  const prefix = colon < 0 ? '' : raw.slice(0, colon).toLowerCase()
  const local = raw.slice(colon + 1).toLowerCase()
  const ours = names.prefixes.get(prefix) ?? (prefix === '' ? names.family : CONVENTIONS.get(prefix))
  if (ours === undefined || ours === '?') return UNKNOWN
  return names.lexicon(ours === names.family ? local : `${ours}:${local}`)
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
  }),
)

/** Addresses in lower case, http, without a last slash or hash. */
const NAMESPACES = new Map<string, string>(
  Object.entries({
    'http://www.w3.org/2005/atom': 'atom',
    'http://purl.org/atom/ns': 'atom',
    'http://purl.org/atom/app': 'app',
    'http://www.w3.org/2007/app': 'app',
    'http://purl.org/rss/1.0': 'rss',
    'http://purl.org/net/rss1.1': 'rss',
    'http://purl.org/rss/2.0': 'rss',
    'http://my.netscape.com/rdf/simple/0.9': 'rss',
    'http://channel.netscape.com/rdf/simple/0.9': 'rss',
    'http://my.netscape.com/publish/formats/rss-0.91.dtd': 'rss',
    'http://backend.userland.com/rss': 'rss',
    'http://backend.userland.com/rss2': 'rss',
    'http://backend.userland.com/rss091': 'rss',
    'http://backend.userland.com/blogchannelmodule': 'blogchannel',
    'http://blogs.law.harvard.edu/tech/rss': 'rss',
    'http://cyber.law.harvard.edu/rss/rss.html': 'rss',
    'http://www.rssboard.org/rss-specification': 'rss',
    'http://www.w3.org/1999/02/22-rdf-syntax-ns': 'rdf',
    'http://purl.org/dc/elements/1.1': 'dc',
    'http://purl.org/dc/elements/1.0': 'dc',
    'http://purl.org/dc/terms': 'dcterms',
    'http://purl.org/rss/1.0/modules/content': 'content',
    'http://purl.org/rss/1.0/modules/syndication': 'sy',
    'http://purl.org/rss/1.0/modules/slash': 'slash',
    'http://purl.org/rss/1.0/modules/threading': 'thread',
    'http://purl.org/syndication/thread/1.0': 'thr',
    'http://purl.org/syndication/history/1.0': 'fh',
    'http://wellformedweb.org/commentapi': 'wfw',
    'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes',
    'http://www.google.com/schemas/play-podcasts/1.0': 'googleplay',
    'http://www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd': 'googleplay',
    'http://podcastindex.org/namespace/1.0': 'podcast',
    'http://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md': 'podcast',
    'http://podlove.org/simple-chapters': 'psc',
    'http://search.yahoo.com/mrss': 'media',
    'http://search.yahoo.com/mrss/.': 'media',
    'http://tools.search.yahoo.com/mrss': 'media',
    'http://video.search.yahoo.com/mrss': 'media',
    'http://www.georss.org/georss': 'georss',
    'http://www.w3.org/2003/01/geo/wgs84_pos': 'geo',
    'http://www.opengis.net/gml': 'gml',
    'http://rssnamespace.org/feedburner/ext/1.0': 'feedburner',
    'http://webns.net/mvcb': 'admin',
    'http://backend.userland.com/creativecommonsrssmodule': 'cc',
    'http://cyber.law.harvard.edu/rss/creativecommonsrssmodule.html': 'cc',
    'http://www.w3.org/1999/xhtml': 'xhtml',
    'http://www.w3.org/2000/svg': 'svg',
    'http://www.w3.org/1998/math/mathml': 'mathml',
  }),
)

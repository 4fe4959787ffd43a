/**
 * A vocabulary: which elements say what, best first. A format is such a table and little else; what is true of all formats
 * is in `assemble.ts`. The modules (Dublin Core, media, iTunes ...) may appear in any format and have their places in the lists.
 */
import { type Lexicon, UNKNOWN, type Word } from '../xml/names.ts'

export interface Vocabulary {
  entry: Record<EntryField, readonly string[]>
  feed: Record<FeedField, readonly string[]>
  lexicon: Lexicon
}

export type EntryField =
  | 'id'
  | 'title'
  | 'summary'
  | 'content'
  | 'published'
  | 'updated'
  | 'author'
  | 'contributor'
  | 'category'
  | 'keywords'
  | 'rights'
  | 'image'
  | 'comments'
  | 'commentsFeed'
  | 'commentCount'
  | 'origin'
  | 'duration'

export type FeedField =
  | 'id'
  | 'title'
  | 'description'
  | 'published'
  | 'updated'
  | 'author'
  | 'category'
  | 'keywords'
  | 'rights'
  | 'language'
  | 'generator'
  | 'icon'
  | 'image'

/** Elements that are read by their own rules, in whatever format. */
const SPECIAL = [
  'link',
  'atom:link',
  'guid',
  'enclosure',
  'media:content',
  'media:group',
  'media:player',
  'feedburner:origlink',
  'georss:point',
  'georss:where',
  'geo:lat',
  'geo:long',
  'geo:point',
  'thr:in-reply-to',
  'itunes:season',
  'podcast:season',
  'itunes:episode',
  'podcast:episode',
  'itunes:explicit',
  'itunes:new-feed-url',
  'podcast:transcript',
  'podcast:chapters',
  'ttl',
  'skiphours',
  'skipdays',
  'sy:updateperiod',
  'sy:updatefrequency',
]

const CONTAINERS = ['rss', 'rdf:rdf', 'feed', 'channel', 'item', 'entry']

export function createVocabulary(tables: Omit<Vocabulary, 'lexicon'>): Vocabulary {
  const words = new Map<string, Word>()
  for (const key of [SPECIAL, Object.values(tables.entry), Object.values(tables.feed)].flat(2)) {
    words.set(key, { key, role: 'field' })
  }
  for (const key of CONTAINERS) words.set(key, { key, role: 'container' })
  return { ...tables, lexicon: (key) => words.get(key) ?? UNKNOWN }
}

/**
 * A vocabulary lists, for each field, the elements that provide it, preferred ones first. A format is little more than such a table;
 * what all formats share is in `entry.ts` and `feed.ts`. Extension modules (Dublin Core, media, iTunes ...) may appear in any format
 * and are part of the lists.
 */
import { createXmlNames, type FeedFamily, type NamedElement, UNKNOWN, type XmlNames } from '../xml/element-names.ts'
import { createFieldSorter, type FieldSorter, type Fields, type FieldTable } from './fields.ts'

export interface Vocabulary {
  entryFields: FieldSorter<EntryField>
  feedFields: FieldSorter<FeedField>
  /** Names for documents without declarations. */
  names: XmlNames
}

export type EntryFields = Fields<EntryField>
export type FeedFields = Fields<FeedField>

type EntryField = FormatsEntryField | keyof typeof ENTRY
type FeedField = FormatsFeedField | keyof typeof FEED

/** Fields for which each format has its own elements. */
type FormatsEntryField =
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
  | 'duration'

type FormatsFeedField =
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

/** Fields with the same elements in all formats. */
const ENTRY = {
  link: ['link', 'atom:link'],
  originalLink: ['feedburner:origlink'],
  guid: ['guid'],
  /** Out-of-line content (RFC 4287, 4.1.3.2). */
  contentElsewhere: ['content'],
  enclosure: ['enclosure'],
  media: ['media:content'],
  thumbnail: ['media:thumbnail'],
  person: ['podcast:person'],
  credit: ['media:credit'],
  licence: ['cc:license', 'podcast:license', 'dcterms:license', 'media:license'],
  origin: ['source', 'atom:source'],
  inReplyTo: ['thr:in-reply-to'],
  point: ['georss:point'],
  where: ['georss:where'],
  latitude: ['geo:lat'],
  longitude: ['geo:long', 'geo:lon'],
  season: ['itunes:season', 'podcast:season'],
  episode: ['itunes:episode', 'podcast:episode'],
  explicit: ['itunes:explicit'],
  chapters: ['podcast:chapters'],
  transcripts: ['podcast:transcript'],
} satisfies FieldTable<string>

const FEED = {
  link: ['link', 'atom:link'],
  movedTo: ['itunes:new-feed-url'],
  ttl: ['ttl'],
  skipHours: ['skiphours'],
  skipDays: ['skipdays'],
  updatePeriod: ['sy:updateperiod'],
  updateFrequency: ['sy:updatefrequency'],
} satisfies FieldTable<string>

/** Elements without a field of their own that end an unclosed element, or contain others. */
const OTHERS = ['media:group', 'media:player', 'dc:source', 'geo:point']

const CONTAINERS = ['rss', 'rdf:rdf', 'feed', 'channel', 'item', 'entry']

export function createVocabulary(
  family: FeedFamily,
  vocabularyFields: { entry: FieldTable<FormatsEntryField>; feed: FieldTable<FormatsFeedField> },
): Vocabulary {
  const entry: FieldTable<EntryField> = { ...ENTRY, ...vocabularyFields.entry }
  const feed: FieldTable<FeedField> = { ...FEED, ...vocabularyFields.feed }
  const namedElements = new Map<string, NamedElement>()
  for (const key of [OTHERS, Object.values(entry), Object.values(feed)].flat(2))
    namedElements.set(key, { key, role: 'field' })
  for (const key of CONTAINERS) namedElements.set(key, { key, role: 'container' })
  return {
    entryFields: createFieldSorter(entry, ['category']),
    feedFields: createFieldSorter(feed, ['category']),
    names: createXmlNames(family, (key) => namedElements.get(key) ?? UNKNOWN, new Map()),
  }
}

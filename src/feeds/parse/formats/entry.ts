/** Reads one entry of an XML feed, using the tables of its vocabulary. */

import { titleText } from '../../../html/index.ts'
import { webAddress } from '../../../model/index.ts'
import { httpAddress, linkAddress } from '../address.ts'
import type { KeylessEntry } from '../keys.ts'
import type { FeedPerson } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, elementText, type XmlElement } from '../xml/element.ts'
import type { EntryOutline } from '../xml/outline.ts'
import type { XmlText } from '../xml/xml-text.ts'
import {
  attributeDate,
  categories,
  firstAddress,
  firstAttribute,
  firstDate,
  firstId,
  firstLine,
  firstText,
  firstWords,
  readPeople,
} from './field-values.ts'
import { type Links, readLinks } from './links.ts'
import {
  childText,
  firstPicture,
  isRecording,
  mediaDuration,
  openMediaGroups,
  readEnclosures,
  readImage,
  readThumbnails,
} from './media.ts'
import { namesOf, readPersons } from './person.ts'
import { readPlace } from './place.ts'
import { set, setList } from './set-defined.ts'
import { htmlFromConstruct, titleFromConstruct, truncateLine } from './text-construct.ts'
import type { EntryFields, Vocabulary } from './vocabulary.ts'

export function readEntry(xml: XmlText, vocabulary: Vocabulary, outline: EntryOutline): KeylessEntry {
  const { item, elements } = outline
  openMediaGroups(xml, elements)
  const { fields, present } = vocabulary.entryFields(elements)
  const entry: KeylessEntry = { title: '' }

  const id = firstId(xml, fields.id) ?? (attributeOf(xml, item, 'rdf:about') || undefined)
  if (id !== undefined) entry.id = id
  const links = readLinks(xml, fields.link)
  const enclosures = readEnclosures(xml, fields, links.enclosures)
  if (enclosures.length > 0) entry.enclosures = enclosures
  const url = readUrl(xml, fields, links, item, id) ?? httpAddress(enclosures[0]?.url)
  if (url !== undefined) entry.url = url

  readWords(xml, fields, entry)
  readDates(xml, fields, item, entry)

  signWith(entry, readPeople(xml, fields.author))
  for (const name of present) EXTRAS[name]?.(entry, xml, fields)
  const image = entry.image ?? firstPicture(enclosures)
  if (image !== undefined) entry.image = image
  if (links.license !== undefined) entry.licence ??= links.license
  if (links.replies !== undefined) entry.commentsFeedUrl ??= links.replies
  if (outline.language !== undefined) entry.language = outline.language
  return entry
}

function signWith(entry: KeylessEntry, named: FeedPerson[]): void {
  if (named.length > 0) entry.authors = named
  const author = namesOf(named)
  if (author !== undefined) entry.author = author
}

function readUrl(
  xml: XmlText,
  fields: EntryFields,
  links: Links,
  item: XmlElement,
  id: string | undefined,
): string | undefined {
  const page = httpAddress(firstAddress(xml, fields.originalLink)) ?? links.page
  if (webAddress(page) !== undefined) return page
  const guid = fields.guid[0]
  const isPermalink = guid !== undefined && attributeOf(xml, guid, 'ispermalink')?.toLowerCase() !== 'false'
  const permalink = isPermalink ? webAddress(elementText(xml, guid)) : undefined
  return (
    permalink ??
    page ??
    httpAddress(linkAddress(attributeOf(xml, item, 'href'), item.scope.base)) ??
    webAddress(attributeOf(xml, item, 'rdf:about')) ??
    httpAddress(linkAddress(firstAttribute(xml, fields.contentElsewhere, 'src'), item.scope.base)) ??
    (guid === undefined ? webAddress(id) : undefined)
  )
}

function readWords(xml: XmlText, fields: EntryFields, entry: KeylessEntry): void {
  const title = firstWords(xml, fields.title)
  if (title) {
    const { text, html } = titleFromConstruct(title)
    entry.title = text
    if (html !== undefined) entry.titleHtml = html
  }
  const summary = firstWords(xml, fields.summary)
  if (summary) {
    entry.summary = htmlFromConstruct(summary)
    if (summary.isText) entry.summaryText = summary.value
  }
  const content = firstWords(xml, fields.content)
  if (content) {
    entry.content = htmlFromConstruct(content)
    if (content.isText) entry.contentText = content.value
  }
}

function readDates(xml: XmlText, fields: EntryFields, item: XmlElement, entry: KeylessEntry): void {
  const published = firstDate(xml, fields.published)
  const updated = firstDate(xml, fields.updated) ?? attributeDate(xml, item, 'lastmod')
  if (published) entry.publishedAt = published.at
  if (updated) entry.updatedAt = updated.at
  if ((published ?? updated)?.dateOnly) entry.dateOnly = true
}

type EntryExtra = (entry: KeylessEntry, xml: XmlText, fields: EntryFields) => void

/** Optional fields, by name: each is read only if the entry has elements for it. */
const EXTRAS: { [Field in keyof EntryFields]?: EntryExtra } = {
  credit: (entry, xml, { credit }) => {
    if (entry.authors === undefined && entry.enclosures?.some(isRecording)) signWith(entry, readPeople(xml, credit))
  },
  contributor: (entry, xml, { contributor }) => setList(entry, 'contributors', readPeople(xml, contributor)),
  person: (entry, xml, { person }) => setList(entry, 'persons', readPersons(xml, person)),
  category: readCategories,
  keywords: readCategories,
  rights: (entry, xml, { rights }) => set(entry, 'rights', firstLine(xml, rights)),
  licence: (entry, xml, { licence }) => set(entry, 'licence', readLicence(xml, licence[0]!)),
  image: (entry, xml, { image }) => set(entry, 'image', readImage(xml, image)),
  thumbnail: (entry, xml, { thumbnail }) => setList(entry, 'thumbnails', readThumbnails(xml, thumbnail)),
  comments: (entry, xml, { comments }) => set(entry, 'commentsUrl', firstAddress(xml, comments)),
  commentsFeed: (entry, xml, { commentsFeed }) => set(entry, 'commentsFeedUrl', firstAddress(xml, commentsFeed)),
  commentCount: (entry, xml, { commentCount }) => set(entry, 'commentCount', wholeNumber(firstText(xml, commentCount))),
  inReplyTo: (entry, xml, { inReplyTo }) => set(entry, 'inReplyTo', firstAttribute(xml, inReplyTo, 'ref')),
  origin: (entry, xml, { origin }) => set(entry, 'origin', readOrigin(xml, origin[0]!)),
  point: setCoordinates,
  where: setCoordinates,
  latitude: setCoordinates,
  longitude: setCoordinates,
  duration: (entry, xml, { duration }) => set(entry, 'durationMs', mediaDuration(firstText(xml, duration))),
  season: (entry, xml, { season }) => set(entry, 'season', wholeNumber(firstText(xml, season))),
  episode: (entry, xml, { episode }) => set(entry, 'episode', wholeNumber(firstText(xml, episode))),
  explicit: (entry, xml, { explicit }) => set(entry, 'explicit', isExplicit(firstText(xml, explicit))),
  chapters: (entry, xml, { chapters }) => set(entry, 'chaptersUrl', firstAddress(xml, chapters)),
  transcripts: (entry, xml, { transcripts }) => setList(entry, 'transcripts', readTranscripts(xml, transcripts)),
}

function readCategories(entry: KeylessEntry, xml: XmlText, fields: EntryFields): void {
  setList(entry, 'categories', categories(xml, fields.category, fields.keywords))
}

function setCoordinates(entry: KeylessEntry, xml: XmlText, fields: EntryFields): void {
  set(entry, 'place', readPlace(xml, fields))
}

function readTranscripts(xml: XmlText, elements: readonly XmlElement[]): NonNullable<KeylessEntry['transcripts']> {
  return elements.flatMap((element) => {
    const url = linkAddress(attributeOf(xml, element, 'url'), element.scope.base)
    const type = attributeOf(xml, element, 'type')
    const language = attributeOf(xml, element, 'language')
    return url ? [{ url, ...(type ? { type } : {}), ...(language ? { language } : {}) }] : []
  })
}

/** Its address, from an attribute or the text; else its name. */
function readLicence(xml: XmlText, element: XmlElement): string | undefined {
  const href = ['href', 'url', 'rdf:resource'].map((name) => attributeOf(xml, element, name)).find(Boolean)
  return linkAddress(href, element.scope.base) ?? (truncateLine(titleText(elementText(xml, element))) || undefined)
}

function isExplicit(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  return /^(?:yes|true|explicit)$/i.test(text) || (/^(?:no|false|clean)$/i.test(text) ? false : undefined)
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function readOrigin(xml: XmlText, source: XmlElement): { title?: string; url?: string } | undefined {
  const title = childText(xml, source, 'title') ?? (source.hasMarkup ? undefined : elementText(xml, source))
  const url = linkAddress(attributeOf(xml, source, 'url') ?? sourcePage(xml, source), source.scope.base)
  return title || url
    ? { ...(title ? { title: truncateLine(titleText(title)) } : {}), ...(url ? { url } : {}) }
    : undefined
}

function sourcePage(xml: XmlText, source: XmlElement): string | undefined {
  return readLinks(
    xml,
    childrenOf(xml, source).filter(({ key }) => key === 'link' || key === 'atom:link'),
  ).page
}

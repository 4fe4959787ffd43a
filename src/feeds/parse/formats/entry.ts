/** One entry of a feed in XML, by the tables of its vocabulary. */

import { titleText } from '../../../markup/index.ts'
import { webAddress } from '../../../model/index.ts'
import { linkAddress } from '../address.ts'
import type { KeylessEntry } from '../keys.ts'
import { childrenOf } from '../xml/children.ts'
import type { EntryOutline } from '../xml/outline.ts'
import { attributeOf, textOfPiece, type XmlPiece } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { type Links, readLinks } from './links.ts'
import { childText, mediaDuration, openMediaGroups, readEnclosures, readImage, readThumbnails } from './media.ts'
import { namesOf, readPersons } from './person.ts'
import { readPlace } from './place.ts'
import { assignPresent } from './present.ts'
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
  people,
} from './reading.ts'
import type { EntryFields, Vocabulary } from './vocabulary.ts'
import { boundedLine, htmlInWords, titleInWords } from './words.ts'

export function readEntry(xml: XmlText, vocabulary: Vocabulary, outline: EntryOutline): KeylessEntry {
  const { item, pieces } = outline
  openMediaGroups(xml, pieces)
  const fields = vocabulary.entryFields(pieces)
  const entry: KeylessEntry = { title: '' }

  const id = firstId(xml, fields.id) ?? (attributeOf(xml, item, 'rdf:about') || undefined)
  if (id !== undefined) entry.id = id
  const links = readLinks(xml, fields.link)
  const enclosures = readEnclosures(xml, fields, links.enclosures)
  if (enclosures.length > 0) entry.enclosures = enclosures
  const url = readUrl(xml, fields, links, item, id) ?? enclosures[0]?.url
  if (url !== undefined) entry.url = url

  readWords(xml, fields, entry)
  readDates(xml, fields, item, entry)

  const named = people(xml, fields.author)
  if (named.length > 0) entry.authors = named
  const author = namesOf(named)
  if (author !== undefined) entry.author = author
  const contributors = people(xml, fields.contributor)
  if (contributors.length > 0) entry.contributors = contributors
  const persons = readPersons(xml, fields.person)
  if (persons.length > 0) entry.persons = persons
  const tags = categories(xml, fields.category, fields.keywords)
  if (tags.length > 0) entry.categories = tags

  readExtras(xml, fields, links, entry)
  if (outline.language !== undefined) entry.language = outline.language
  return entry
}

function readUrl(
  xml: XmlText,
  fields: EntryFields,
  links: Links,
  item: XmlPiece,
  id: string | undefined,
): string | undefined {
  const page = firstAddress(xml, fields.originalLink) ?? links.page
  if (webAddress(page) !== undefined) return page
  const guid = fields.guid[0]
  const isPermalink = guid !== undefined && attributeOf(xml, guid, 'ispermalink')?.toLowerCase() !== 'false'
  const permalink = isPermalink ? webAddress(textOfPiece(xml, guid)) : undefined
  return (
    permalink ??
    page ??
    linkAddress(attributeOf(xml, item, 'href'), item.scope.base) ??
    webAddress(attributeOf(xml, item, 'rdf:about')) ??
    linkAddress(firstAttribute(xml, fields.contentElsewhere, 'src'), item.scope.base) ??
    (guid === undefined ? webAddress(id) : undefined)
  )
}

function readWords(xml: XmlText, fields: EntryFields, entry: KeylessEntry): void {
  const title = firstWords(xml, fields.title)
  if (title) {
    const { text, html } = titleInWords(title)
    entry.title = text
    if (html !== undefined) entry.titleHtml = html
  }
  const summary = firstWords(xml, fields.summary)
  if (summary) {
    entry.summary = htmlInWords(summary)
    if (summary.isText) entry.summaryText = summary.value
  }
  const content = firstWords(xml, fields.content)
  if (content) {
    entry.content = htmlInWords(content)
    if (content.isText) entry.contentText = content.value
  }
}

function readDates(xml: XmlText, fields: EntryFields, item: XmlPiece, entry: KeylessEntry): void {
  const published = firstDate(xml, fields.published)
  const updated = firstDate(xml, fields.updated) ?? attributeDate(xml, item, 'lastmod')
  if (published) entry.publishedAt = published.at
  if (updated) entry.updatedAt = updated.at
  if ((published ?? updated)?.dateOnly) entry.dateOnly = true
}

/** What most entries do not have. */
function readExtras(xml: XmlText, fields: EntryFields, links: Links, entry: KeylessEntry): void {
  assignPresent(entry, {
    rights: firstLine(xml, fields.rights),
    licence: readLicence(xml, fields.licence[0]) ?? links.license,
    image: readImage(xml, fields.image, entry.enclosures),
    commentsUrl: firstAddress(xml, fields.comments),
    commentsFeedUrl: firstAddress(xml, fields.commentsFeed) ?? links.replies,
    commentCount: wholeNumber(firstText(xml, fields.commentCount)),
    inReplyTo: firstAttribute(xml, fields.inReplyTo, 'ref'),
    origin: readOrigin(xml, fields.origin[0]),
    place: readPlace(xml, fields),
    durationMs: mediaDuration(firstText(xml, fields.duration)),
    season: wholeNumber(firstText(xml, fields.season)),
    episode: wholeNumber(firstText(xml, fields.episode)),
    explicit: isExplicit(firstText(xml, fields.explicit)),
    chaptersUrl: firstAddress(xml, fields.chapters),
  })
  const transcripts = fields.transcripts.flatMap((piece) => {
    const url = linkAddress(attributeOf(xml, piece, 'url'), piece.scope.base)
    const type = attributeOf(xml, piece, 'type')
    const language = attributeOf(xml, piece, 'language')
    return url ? [{ url, ...(type ? { type } : {}), ...(language ? { language } : {}) }] : []
  })
  if (transcripts.length > 0) entry.transcripts = transcripts
  const thumbnails = readThumbnails(xml, fields.thumbnail)
  if (thumbnails.length > 0) entry.thumbnails = thumbnails
}

/** Its address, be it an attribute or the text; else what it is called. */
function readLicence(xml: XmlText, piece: XmlPiece | undefined): string | undefined {
  if (!piece) return undefined
  const given = ['href', 'url', 'rdf:resource'].map((name) => attributeOf(xml, piece, name)).find(Boolean)
  return linkAddress(given, piece.scope.base) ?? (boundedLine(titleText(textOfPiece(xml, piece))) || undefined)
}

function isExplicit(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  return /^(?:yes|true|explicit)$/i.test(text) || (/^(?:no|false|clean)$/i.test(text) ? false : undefined)
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function readOrigin(xml: XmlText, source: XmlPiece | undefined): { title?: string; url?: string } | undefined {
  if (!source) return undefined
  const title = childText(xml, source, 'title') ?? (source.hasMarkup ? undefined : textOfPiece(xml, source))
  const url = linkAddress(attributeOf(xml, source, 'url') ?? sourcePage(xml, source), source.scope.base)
  return title || url
    ? { ...(title ? { title: boundedLine(titleText(title)) } : {}), ...(url ? { url } : {}) }
    : undefined
}

function sourcePage(xml: XmlText, source: XmlPiece): string | undefined {
  return readLinks(
    xml,
    childrenOf(xml, source).filter(({ key }) => key === 'link' || key === 'atom:link'),
  ).page
}

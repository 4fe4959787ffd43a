/** One entry of a feed in XML, by the tables of its vocabulary. */
import { linkAddress, webAddress } from '../address.ts'
import type { KeylessEntry } from '../keys.ts'
import { titleText } from '../text/plain-text.ts'
import { childrenOf } from '../xml/children.ts'
import type { EntryOutline, Pieces } from '../xml/outline.ts'
import { attributeOf, type Piece, textOf } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { type Links, readLinks } from './links.ts'
import { childText, duration, openMediaGroups, readEnclosures, readImage } from './media.ts'
import { namesOf } from './person.ts'
import { readPlace } from './place.ts'
import { assignPresent } from './present.ts'
import {
  allOf,
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
import type { Vocabulary } from './vocabulary.ts'
import { htmlOf, line, titleOf } from './words.ts'

export function readEntry(xml: XmlText, vocabulary: Vocabulary, outline: EntryOutline): KeylessEntry {
  const { item, pieces } = outline
  const table = vocabulary.entry
  openMediaGroups(xml, pieces)
  const entry: KeylessEntry = { title: '' }

  const id = firstId(xml, pieces, table.id) ?? (attributeOf(xml, item, 'rdf:about') || undefined)
  if (id !== undefined) entry.id = id
  const links = readLinks(xml, allOf(pieces, ['link', 'atom:link']))
  const enclosures = readEnclosures(xml, pieces, links.enclosures)
  if (enclosures.length > 0) entry.enclosures = enclosures
  const url = readUrl(xml, pieces, links, item, id) ?? enclosures[0]?.url
  if (url !== undefined) entry.url = url

  readWords(xml, vocabulary, pieces, entry)
  readDates(xml, vocabulary, pieces, item, entry)

  const named = people(xml, pieces, table.author)
  if (named.length > 0) entry.authors = named
  const author = namesOf(named)
  if (author !== undefined) entry.author = author
  const contributors = people(xml, pieces, table.contributor)
  if (contributors.length > 0) entry.contributors = contributors
  const tags = categories(xml, pieces, table.category, table.keywords)
  if (tags.length > 0) entry.categories = tags

  if (hasExtras(pieces, links)) readExtras(xml, vocabulary, pieces, links, entry)
  if (outline.language !== undefined) entry.language = outline.language
  return entry
}

function readUrl(xml: XmlText, pieces: Pieces, links: Links, item: Piece, id: string | undefined): string | undefined {
  const guid = pieces.find(({ key }) => key === 'guid')
  const isPermalink = guid !== undefined && attributeOf(xml, guid, 'ispermalink')?.toLowerCase() !== 'false'
  const permalink = isPermalink ? webAddress(textOf(xml, guid)) : undefined
  const page = firstAddress(xml, pieces, ['feedburner:origlink']) ?? links.page
  if (page !== undefined && (permalink === undefined || webAddress(page) !== undefined)) return page
  return (
    permalink ??
    page ??
    linkAddress(attributeOf(xml, item, 'href'), item.scope.base) ??
    webAddress(attributeOf(xml, item, 'rdf:about')) ??
    linkAddress(firstAttribute(xml, pieces, ['content'], 'src'), item.scope.base) ??
    (guid === undefined ? webAddress(id) : undefined)
  )
}

function readWords(xml: XmlText, vocabulary: Vocabulary, pieces: Pieces, entry: KeylessEntry): void {
  const title = firstWords(xml, pieces, vocabulary.entry.title)
  if (title) {
    const { text, html } = titleOf(title)
    entry.title = text
    if (html !== undefined) entry.titleHtml = html
  }
  const summary = firstWords(xml, pieces, vocabulary.entry.summary)
  if (summary) {
    entry.summary = htmlOf(summary)
    if (summary.isText) entry.summaryText = summary.value
  }
  const content = firstWords(xml, pieces, vocabulary.entry.content)
  if (content) {
    entry.content = htmlOf(content)
    if (content.isText) entry.contentText = content.value
  }
}

function readDates(xml: XmlText, vocabulary: Vocabulary, pieces: Pieces, item: Piece, entry: KeylessEntry): void {
  const published = firstDate(xml, pieces, vocabulary.entry.published)
  const updated = firstDate(xml, pieces, vocabulary.entry.updated) ?? attributeDate(xml, item, 'lastmod')
  if (published) entry.publishedAt = published.at
  if (updated) entry.updatedAt = updated.at
  if ((published ?? updated)?.dateOnly) entry.dateOnly = true
}

/** Keys that `readExtras` is not interested in: most entries have no others. */
const PLAIN = new Set(
  (
    'title link guid id description summary content content:encoded pubdate published updated author dc:creator dc:date ' +
    'category'
  ).split(' '),
)

function hasExtras(pieces: Pieces, links: Links): boolean {
  return links.replies !== undefined || links.enclosures.length > 0 || pieces.some(({ key }) => !PLAIN.has(key))
}

/** What most entries do not have. */
function readExtras(xml: XmlText, vocabulary: Vocabulary, pieces: Pieces, links: Links, entry: KeylessEntry): void {
  const table = vocabulary.entry
  assignPresent(entry, {
    rights: firstLine(xml, pieces, table.rights),
    image: readImage(xml, allOf(pieces, table.image), entry.enclosures),
    commentsUrl: firstAddress(xml, pieces, table.comments),
    commentsFeedUrl: firstAddress(xml, pieces, table.commentsFeed) ?? links.replies,
    commentCount: wholeNumber(firstText(xml, pieces, table.commentCount)),
    inReplyTo: firstAttribute(xml, pieces, ['thr:in-reply-to'], 'ref'),
    origin: readOrigin(xml, allOf(pieces, ['source', 'atom:source'])[0]),
    place: readPlace(xml, pieces),
    durationMs: duration(firstText(xml, pieces, table.duration)),
    season: wholeNumber(firstText(xml, pieces, ['itunes:season', 'podcast:season'])),
    episode: wholeNumber(firstText(xml, pieces, ['itunes:episode', 'podcast:episode'])),
    explicit: isExplicit(firstText(xml, pieces, ['itunes:explicit'])),
    chaptersUrl: firstAddress(xml, pieces, ['podcast:chapters']),
  })
  const transcripts = allOf(pieces, ['podcast:transcript']).flatMap((piece) => {
    const url = linkAddress(attributeOf(xml, piece, 'url'), piece.scope.base)
    const type = attributeOf(xml, piece, 'type')
    return url ? [{ url, ...(type ? { type } : {}) }] : []
  })
  if (transcripts.length > 0) entry.transcripts = transcripts
}

function isExplicit(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  return /^(?:yes|true|explicit)$/i.test(text) || (/^(?:no|false|clean)$/i.test(text) ? false : undefined)
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function readOrigin(xml: XmlText, source: Piece | undefined): { title?: string; url?: string } | undefined {
  if (!source) return undefined
  const title = childText(xml, source, 'title') ?? (source.hasMarkup ? undefined : textOf(xml, source))
  const url = linkAddress(attributeOf(xml, source, 'url') ?? sourcePage(xml, source), source.scope.base)
  return title || url ? { ...(title ? { title: line(titleText(title)) } : {}), ...(url ? { url } : {}) } : undefined
}

function sourcePage(xml: XmlText, source: Piece): string | undefined {
  return readLinks(
    xml,
    childrenOf(xml, source).filter(({ key }) => key === 'link' || key === 'atom:link'),
  ).page
}

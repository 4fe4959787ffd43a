/** Reads the feed-level fields of an XML feed, using the tables of its vocabulary. */

import { plainText } from '../../../html/index.ts'
import { type FeedFacts, type FeedFormat, webAddress } from '../../../model/index.ts'
import { linkAddress } from '../address.ts'
import type { ParsedFeed } from '../parsed-feed.ts'
import { attributeOf } from '../xml/element.ts'
import type { FeedOutline } from '../xml/outline.ts'
import type { XmlText } from '../xml/xml-text.ts'
import {
  attributeDate,
  categories,
  firstAddress,
  firstDate,
  firstId,
  firstLine,
  firstWords,
  readPeople,
} from './field-values.ts'
import { readHints } from './hints.ts'
import { readLinks } from './links.ts'
import { readImage } from './media.ts'
import { assignPresent } from './set-defined.ts'
import { htmlFromConstruct, titleFromConstruct } from './text-construct.ts'
import type { Vocabulary } from './vocabulary.ts'

export type FeedHead = Omit<ParsedFeed, 'kind' | 'entries' | 'encoding'>

export function readHead(xml: XmlText, vocabulary: Vocabulary, format: FeedFormat, outline: FeedOutline): FeedHead {
  const { root, channel } = outline
  const { fields } = vocabulary.feedFields(outline.head)
  const facts: FeedFacts = { format }
  const feed: FeedHead = { facts }

  const title = firstWords(xml, fields.title)
  if (title) {
    const { text, html } = titleFromConstruct(title)
    if (text !== '') facts.title = text
    if (html !== undefined) feed.titleHtml = html
  }
  const description = firstWords(xml, fields.description)
  if (description) {
    const text = description.isText ? description.value : plainText(description.value)
    if (text !== '') facts.description = text
    if (!description.isText && description.value !== text) feed.descriptionHtml = htmlFromConstruct(description)
  }
  const links = readLinks(xml, fields.link)
  const language = firstLine(xml, fields.language) ?? channel?.scope.language ?? root.scope.language
  const self = linkAddress(channel && attributeOf(xml, channel, 'self'), root.scope.base)
  const base = channel && linkAddress(attributeOf(xml, channel, 'href'), channel.scope.base)
  assignPresent(facts, {
    siteUrl: webAddress(links.page) ?? webAddress(base),
    language: language?.replaceAll('_', '-'),
    hub: links.hub,
    selfUrl: links.self ?? webAddress(self),
  })
  const authors = readPeople(xml, fields.author)
  const tags = categories(xml, fields.category, fields.keywords)
  assignPresent(feed, {
    id: firstId(xml, fields.id) ?? (channel && attributeOf(xml, channel, 'rdf:about')),
    authors: authors.length > 0 ? authors : undefined,
    categories: tags.length > 0 ? tags : undefined,
    rights: firstLine(xml, fields.rights),
    generator: firstLine(xml, fields.generator),
    icon: firstAddress(xml, fields.icon),
    image: readImage(xml, fields.image),
    publishedAt: firstDate(xml, fields.published)?.at,
    updatedAt: (firstDate(xml, fields.updated) ?? (channel && attributeDate(xml, channel, 'lastmod')))?.at,
    nextUrl: links.next,
    movedTo: firstAddress(xml, fields.movedTo),
    ...readHints(xml, fields),
  })
  if (outline.cut) feed.cut = true
  if (outline.droppedEntries > 0) feed.droppedEntries = outline.droppedEntries
  return feed
}

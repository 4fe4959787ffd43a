/** A feed in XML, without its entries, by the tables of its vocabulary. */
import type { FeedFacts, FeedFormat } from '../../model/index.ts'
import { linkAddress } from '../address.ts'
import type { ParsedFeed } from '../parsed-feed.ts'
import { plainText } from '../text/plain-text.ts'
import type { Outline } from '../xml/outline.ts'
import { attributeOf } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { readHints } from './hints.ts'
import { readLinks } from './links.ts'
import { readImage } from './media.ts'
import { assignPresent } from './present.ts'
import {
  allOf,
  attributeDate,
  categories,
  firstAddress,
  firstDate,
  firstId,
  firstLine,
  firstWords,
  people,
} from './reading.ts'
import type { Vocabulary } from './vocabulary.ts'
import { htmlOf, titleOf } from './words.ts'

export type Head = Omit<ParsedFeed, 'kind' | 'entries' | 'encoding'>

export function readHead(xml: XmlText, vocabulary: Vocabulary, format: FeedFormat, outline: Outline): Head {
  const { head, root, channel } = outline
  const table = vocabulary.feed
  const facts: FeedFacts = { format }
  const feed: Head = { facts }

  const title = firstWords(xml, head, table.title)
  if (title) {
    const { text, html } = titleOf(title)
    if (text !== '') facts.title = text
    if (html !== undefined) feed.titleHtml = html
  }
  const description = firstWords(xml, head, table.description)
  if (description) {
    const text = description.isText ? description.value : plainText(description.value)
    if (text !== '') facts.description = text
    if (!description.isText && description.value !== text) feed.descriptionHtml = htmlOf(description)
  }
  const links = readLinks(xml, allOf(head, ['link', 'atom:link']))
  const self = linkAddress(channel && attributeOf(xml, channel, 'self'), root.scope.base)
  const base = channel && linkAddress(attributeOf(xml, channel, 'href'), channel.scope.base)
  assignPresent(facts, {
    siteUrl: links.page ?? base,
    language: readLanguage(xml, outline, table.language),
    hub: links.hub,
    selfUrl: links.self ?? self,
  })
  const authors = people(xml, head, table.author)
  const tags = categories(xml, head, table.category, table.keywords)
  assignPresent(feed, {
    id: firstId(xml, head, table.id) ?? (channel && attributeOf(xml, channel, 'rdf:about')),
    authors: authors.length > 0 ? authors : undefined,
    categories: tags.length > 0 ? tags : undefined,
    rights: firstLine(xml, head, table.rights),
    generator: firstLine(xml, head, table.generator),
    icon: firstAddress(xml, head, table.icon),
    image: readImage(xml, allOf(head, table.image)),
    publishedAt: firstDate(xml, head, table.published)?.at,
    updatedAt: (firstDate(xml, head, table.updated) ?? (channel && attributeDate(xml, channel, 'lastmod')))?.at,
    nextUrl: links.next,
    movedTo: firstAddress(xml, head, ['itunes:new-feed-url']),
    ...readHints(xml, head),
  })
  if (outline.cut) feed.cut = true
  if (outline.leftOut > 0) feed.leftOut = outline.leftOut
  return feed
}

function readLanguage(xml: XmlText, outline: Outline, keys: readonly string[]): string | undefined {
  const given = firstLine(xml, outline.head, keys) ?? outline.channel?.scope.language ?? outline.root.scope.language
  return given?.replaceAll('_', '-')
}

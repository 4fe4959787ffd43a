/** What an article's page says: the text, and facts about it, each with the place that it was found in. */
import type { Instant } from '../model/index.ts'

/**
 * - json-ld:     schema.org in a script
 * - opengraph:   <meta property="og:…"> and "article:…"
 * - microdata:   itemprop in the page's elements
 * - meta:        any other <meta>
 * - link:        <link>, or an attribute of <html>
 * - title-tag:   <title>
 * - script:      any other value in a script that is named for it
 * - markup:      an element that is named for it: <h1>, <time>, class="byline"
 * - text:        read from the text as a person would
 * - address:     the page's address
 * - state:       the value that the page's script draws it from
 */
export type FactOrigin =
  | 'json-ld'
  | 'opengraph'
  | 'microdata'
  | 'meta'
  | 'link'
  | 'title-tag'
  | 'script'
  | 'markup'
  | 'text'
  | 'address'
  | 'state'

export interface FoundFact<T> {
  value: T
  from: FactOrigin
}

export interface FoundDate {
  at: Instant
  /** ISO 8601 as the page has it: a day, or a day and a time with the offset that it names; a month, for want of a day. */
  iso: string
  /** It names a day and no time; `at` is that day's midnight, UTC, or the first of the month. */
  dateOnly: boolean
  /** What 5/6/2024 would mean if day and month were exchanged. */
  swapped?: { at: Instant; iso: string }
  from: FactOrigin
  /** 0 to 1: how often a date from that place is the right one. */
  trust: number
}

/** What is not known is absent. */
export interface Article {
  /** As it was given. */
  url: string
  canonicalUrl?: FoundFact<string>
  /** Without the site's name. */
  title?: FoundFact<string>
  authors?: FoundFact<string[]>
  published?: FoundDate
  modified?: FoundDate
  /** As the page states it, e.g. "de" or "pt-BR"; nothing is detected here. */
  language?: FoundFact<string>
  image?: FoundFact<string>
  siteName?: FoundFact<string>
  section?: FoundFact<string>
  keywords?: FoundFact<string[]>
  description?: FoundFact<string>
  /** What its meta tags ask of crawlers in general and of ours, as they have it. */
  robots?: FoundFact<string[]>
  /** The page says that its whole text is for subscribers: `text` may be its beginning. */
  paywall?: FoundFact<'locked' | 'metered'>
  /** The main text: an empty line between paragraphs. */
  text: string
  /** The same as HTML that is safe to show: few elements, no style, no script, absolute addresses. */
  html: string
  /** 'markup': the page's own blocks; 'json-ld' or 'state': the page does not show it; 'meta': there is nothing but a description. */
  textFrom: FactOrigin
  words: number
}

/** What an article's page says: the text, and facts about it, each with the place that it was found in. */
import type { Instant } from '../model/index.ts'

/**
 * - json-ld:     schema.org in a script
 * - opengraph:   <meta property="og:…"> and "article:…"
 * - microdata:   itemprop in the page's elements
 * - meta:        any other <meta>
 * - link:        <link>, or an attribute of <html>
 * - title-tag:   <title>
 * - markup:      an element that is named for it: <h1>, <time>, class="byline"
 * - text:        read from the text as a person would
 * - address:     the page's address
 */
export type Origin =
  | 'json-ld'
  | 'opengraph'
  | 'microdata'
  | 'meta'
  | 'link'
  | 'title-tag'
  | 'markup'
  | 'text'
  | 'address'

export interface Found<T> {
  value: T
  from: Origin
}

export interface FoundDate {
  at: Instant
  /** ISO 8601 as the page has it: a day, or a day and a time with the offset that it names. */
  iso: string
  /** It names a day and no time; `at` is that day's midnight, UTC. */
  dateOnly: boolean
  from: Origin
  /** 0 to 1: how often a date from that place is the right one. */
  trust: number
}

/** What is not known is absent. */
export interface Article {
  /** As it was given. */
  url: string
  canonicalUrl?: Found<string>
  /** Without the site's name. */
  title?: Found<string>
  authors?: Found<string[]>
  published?: FoundDate
  modified?: FoundDate
  /** As the page states it, e.g. "de" or "pt-BR"; nothing is detected here. */
  language?: Found<string>
  image?: Found<string>
  siteName?: Found<string>
  section?: Found<string>
  keywords?: Found<string[]>
  description?: Found<string>
  /** What its meta tags ask of crawlers in general and of ours, as they have it. */
  robots?: Found<string[]>
  /** The page says that its whole text is for subscribers: `text` may be its beginning. */
  paywall?: Found<'locked' | 'metered'>
  /** The main text: an empty line between paragraphs. */
  text: string
  /** The same as HTML that is safe to show: few elements, no style, no script, absolute addresses. */
  html: string
  /** 'markup': the page's own blocks; 'json-ld': the page does not show it; 'meta': there is nothing but a description. */
  textFrom: Origin
  words: number
}

/** An article as extracted from a page: the text, and facts about it, each with the place where it was found. */
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
  /** ISO 8601 as on the page: a day, or a day and a time with its offset; a month if there is no day. */
  iso: string
  /** A day without a time; `at` is that day's midnight, UTC, or the first of the month. */
  dateOnly: boolean
  /** The date with day and month swapped, if 5/6/2024 is ambiguous. */
  swapped?: { at: Instant; iso: string }
  from: FactOrigin
  /** 0 to 1: how often a date from that place is right. */
  trust: number
}

/** Unknown facts are absent. */
export interface Article {
  /** As passed to the extraction. */
  url: string
  canonicalUrl?: FoundFact<string>
  /** Without the site's name. */
  title?: FoundFact<string>
  authors?: FoundFact<string[]>
  published?: FoundDate
  modified?: FoundDate
  /** As the page states it, e.g. "de" or "pt-BR"; not detected. */
  language?: FoundFact<string>
  image?: FoundFact<string>
  siteName?: FoundFact<string>
  section?: FoundFact<string>
  keywords?: FoundFact<string[]>
  description?: FoundFact<string>
  /** Directives for crawlers in its meta tags, verbatim. */
  robots?: FoundFact<string[]>
  /** The page says that the full text is for subscribers: `text` may be its beginning only. */
  paywall?: FoundFact<'locked' | 'metered'>
  /** The main text: an empty line between paragraphs. */
  text: string
  /** The same as safe HTML: few elements, no style, no script, absolute URLs. */
  html: string
  /** 'markup': the page's own blocks; 'json-ld' or 'state': text the page does not display; 'meta': only a description. */
  textFrom: FactOrigin
  words: number
}

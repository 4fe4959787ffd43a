/**
 * Decides which of two texts of an entry is richer: the one in the feed or the one of the page. Both are compared by what they contain
 * (words, list items, media, links), so that show notes with their lists win over a page of which only a blurb was extracted, and a full page
 * wins over a teaser. The page is measured once, when it is read; the feed's text when it is shown.
 */
import { plainText } from '../../html/index.ts'
import type { ContentMeasure } from '../../model/index.ts'
import { countWords } from '../page/characters.ts'

export type TextOrigin = 'feed' | 'page'

export interface ComparedTexts {
  feed: ContentMeasure | undefined
  page: ContentMeasure | undefined
  /** The feed's text ends with "Read more" or an ellipsis. */
  isTeaser?: boolean
  /** The "page" is the transcript of a recording, which complements show notes and does not replace them. */
  isTranscript?: boolean
}

/** Chosen: what an element of the text is worth, in words. Links and items only count in proportion to the words around them. */
const ITEM_WORTH = 6
const MEDIUM_WORTH = 30
const LINK_WORTH = 3
const MAX_MEDIA = 20
const MIN_WORDS_PER_ITEM = 2
const MIN_WORDS_PER_LINK = 5
/** Pages have remains of their layout, so a page that is hardly richer is not preferred to what the publisher put into the feed. */
const CLEARLY_RICHER = 1.15
/** A teaser may be as long as what could be read of the page; the page is at least not cut in mid-sentence. */
const RICHER_THAN_TEASER = 0.8
/** Shorter show notes only name the episode. */
const MIN_SHOW_NOTES = 20

/** `html` is sanitized or was written by us: tracking pixels and scripts are gone. */
export function measureContent(html: string): ContentMeasure {
  const text = plainText(html)
  return {
    words: countWords(text),
    items: occurrences(html, /<(?:li|tr|dt)[\s>]/gi),
    media: occurrences(html, /<(?:img|video|audio)[\s>]/gi),
    links: occurrences(html, /<a\s[^>]*href=/gi),
  }
}

/** Undefined if neither has a text. */
export function richerText({ feed, page, isTeaser, isTranscript }: ComparedTexts): TextOrigin | undefined {
  const hasFeed = feed !== undefined && !isEmpty(feed)
  if (page === undefined || isEmpty(page)) return hasFeed ? 'feed' : undefined
  if (!hasFeed) return 'page'
  if (isTranscript) return feed.words >= MIN_SHOW_NOTES ? 'feed' : 'page'
  return richness(page) > richness(feed) * (isTeaser ? RICHER_THAN_TEASER : CLEARLY_RICHER) ? 'page' : 'feed'
}

function isEmpty({ words, media }: ContentMeasure): boolean {
  return words === 0 && media === 0
}

function richness({ words, items, media, links }: ContentMeasure): number {
  return (
    words +
    ITEM_WORTH * Math.min(items, words / MIN_WORDS_PER_ITEM) +
    MEDIUM_WORTH * Math.min(media, MAX_MEDIA) +
    LINK_WORTH * Math.min(links, words / MIN_WORDS_PER_LINK)
  )
}

function occurrences(html: string, pattern: RegExp): number {
  return html.match(pattern)?.length ?? 0
}

/** The title and the text that are shown for an entry: the same in lists, on the page, in outgoing feeds, feed readers and webhooks. */
import {
  keepLines,
  measureContent,
  richerText,
  standInTitle,
  type TextOrigin,
  titleFromAddress,
} from '../articles/index.ts'
import type { ShownWithout } from '../dedup/index.ts'
import { endsLikeTeaser, plainText } from '../feeds/index.ts'
import type { Entry, EntryDraft, StoredArticle } from '../model/index.ts'
import { sanitizedHtml } from './sanitized-html.ts'

/** Without the label that the feed adds to most titles. Posts without a title get the first words of their text, or
 * of their address: `isStandIn`. */
export function shownTitle(
  entry: Pick<EntryDraft, 'title' | 'summary' | 'content' | 'media' | 'url'>,
  boilerplate?: ShownWithout,
): { title: string; isStandIn: boolean } {
  const title = boilerplate?.title(entry.title) ?? entry.title
  if (title.trim() !== '') return { title, isStandIn: false }
  const standIn = standInTitle(entry.content ?? entry.summary ?? '')
  const described =
    standIn ||
    standInTitle(entry.media?.find((medium) => medium.title)?.title ?? '') ||
    (entry.content || entry.summary ? '' : titleFromAddress(entry.url ?? ''))
  return { title: described, isStandIn: described !== '' }
}

/** The feed's text, for a browser, with the lines of texts that have no markup. */
export function feedHtml(html: string, url: string | undefined): string {
  return keepLines(sanitizedHtml(html, url))
}

interface TextsOfEntry {
  entry: Pick<Entry, 'podcast'>
  /** As it is shown. */
  feed: string
  article?: StoredArticle | undefined
  /** The article's HTML, if it may be shown. */
  page: string | undefined
}

/** Which of the two texts is richer, and is shown first; undefined without any. */
export function textToShow({ entry, feed, article, page }: TextsOfEntry): TextOrigin | undefined {
  if (!page) return feed ? 'feed' : undefined
  if (!feed) return 'page'
  return richerText({
    feed: measureContent(feed),
    page: article?.facts?.content ?? measureContent(page),
    isTeaser: endsLikeTeaser(plainText(feed)),
    isTranscript: entry.podcast?.transcripts?.some(({ url }) => url === article?.url) ?? false,
  })
}

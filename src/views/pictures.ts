/**
 * Decides which pictures may be fetched: those in stored entries, and the icons of feeds' sites. Anything else would make the server an
 * open proxy.
 */
import { escapeAttribute } from '../articles/index.ts'
import { bestPicture, type Entry, type EntryId, type Feed, type FeedId } from '../model/index.ts'
import type { ArticleCatalogue, Catalogue, Roles } from '../ports/index.ts'
import { sanitizedHtml } from './sanitized-html.ts'

/** `requestedUrl` if the entry or its article contains it, or the best picture if none is requested; undefined if there is none. */
export async function entryPictureUrl(
  id: EntryId,
  requestedUrl: string | undefined,
  { catalogue, articleCatalogue }: Pick<Roles, 'catalogue' | 'articleCatalogue'>,
): Promise<string | undefined> {
  const [entry] = await catalogue.entriesById([id])
  if (!entry) return undefined
  if (requestedUrl === undefined) return bestPicture(entry.media)?.url
  return containsPicture(entry, requestedUrl) || (await articleContainsPicture(id, requestedUrl, articleCatalogue))
    ? requestedUrl
    : undefined
}

/** Undefined if the feed does not exist. */
export async function feedIconUrl(id: FeedId, catalogue: Catalogue): Promise<string | undefined> {
  const [scheduled] = await catalogue.feedsById([id])
  return scheduled && faviconUrl(scheduled.feed)
}

/** The address that nearly every site uses. */
export function faviconUrl({ siteUrl, url }: Pick<Feed, 'siteUrl' | 'url'>): string {
  return new URL('/favicon.ico', siteUrl ?? url).href
}

function containsPicture(
  { media = [], people = [], content = '', summary = '', url }: Entry,
  requestedUrl: string,
): boolean {
  return (
    media.some((medium) => medium.kind === 'image' && medium.url === requestedUrl) ||
    people.some(({ image }) => image === requestedUrl) ||
    hasImage(sanitizedHtml(content, url), requestedUrl) ||
    hasImage(sanitizedHtml(summary, url), requestedUrl)
  )
}

async function articleContainsPicture(
  id: EntryId,
  requestedUrl: string,
  catalogue: ArticleCatalogue,
): Promise<boolean> {
  const [article] = await catalogue.articlesOfEntries([id])
  if (!article || article.noArchive) return false
  if (article.facts?.image === requestedUrl) return true
  const [text] = await catalogue.articleTexts([article.id])
  return text !== undefined && hasImage(sanitizedHtml(text.html, article.pageUrl ?? article.url), requestedUrl)
}

/** Relies on the exact output of `sanitizedHtml`. */
function hasImage(html: string, requestedUrl: string): boolean {
  return html.includes(` src="${escapeAttribute(requestedUrl)}"`)
}

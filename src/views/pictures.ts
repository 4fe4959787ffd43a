/**
 * Which pictures are shown: those that an entry of ours names, and the icons of feeds' sites. Nothing else is ever fetched for
 * whoever asks, or we would be a proxy for everybody.
 */
import { escapeAttribute, sanitise } from '../articles/index.ts'
import { bestPicture, type Entry, type EntryId, type Feed, type FeedId } from '../model/index.ts'
import type { ArticleCatalogue, Catalogue, Roles } from '../ports/index.ts'

/** The best one, or `wanted` if the entry or its article names it; undefined if there is none. */
export async function entryPictureUrl(
  id: EntryId,
  wanted: string | undefined,
  { catalogue, articleCatalogue }: Pick<Roles, 'catalogue' | 'articleCatalogue'>,
): Promise<string | undefined> {
  const [entry] = await catalogue.entriesById([id])
  if (!entry) return undefined
  if (wanted === undefined) return bestPicture(entry.media)?.url
  return namesPicture(entry, wanted) || (await articleNamesPicture(id, wanted, articleCatalogue)) ? wanted : undefined
}

/** Undefined if there is no such feed, or its site is not known. */
export async function feedIconUrl(id: FeedId, catalogue: Catalogue): Promise<string | undefined> {
  const [held] = await catalogue.feedsById([id])
  return held && faviconUrl(held.feed)
}

/** Where nearly every site has it. */
export function faviconUrl({ siteUrl, url }: Pick<Feed, 'siteUrl' | 'url'>): string {
  return new URL('/favicon.ico', siteUrl ?? url).href
}

function namesPicture({ media = [], people = [], content = '', summary = '', url }: Entry, wanted: string): boolean {
  return (
    media.some((medium) => medium.kind === 'image' && medium.url === wanted) ||
    people.some(({ image }) => image === wanted) ||
    shows(sanitise(content, url), wanted) ||
    shows(sanitise(summary, url), wanted)
  )
}

async function articleNamesPicture(id: EntryId, wanted: string, catalogue: ArticleCatalogue): Promise<boolean> {
  const [article] = await catalogue.articlesOfEntries([id])
  if (!article || article.noArchive) return false
  if (article.facts?.image === wanted) return true
  const [text] = await catalogue.articleTexts([article.id])
  return text !== undefined && shows(sanitise(text.html, article.pageUrl ?? article.url), wanted)
}

/** In HTML of our own writing. */
function shows(html: string, wanted: string): boolean {
  return html.includes(` src="${escapeAttribute(wanted)}"`)
}

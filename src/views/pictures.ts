/**
 * Decides which picture represents an entry, and which pictures may be fetched: those in stored entries, and the icons of feeds' sites.
 * Anything else would make the server an open proxy.
 */
import { escapeAttribute, largePictures } from '../articles/index.ts'
import {
  bestPicture,
  type Entry,
  type EntryId,
  type Feed,
  type FeedId,
  type Medium,
  type StoredArticle,
  smallPicture,
  type UserId,
  type WebAddress,
} from '../model/index.ts'
import type { Catalogue, Roles } from '../ports/index.ts'
import { showableArticles } from './no-archive.ts'
import { sanitizedHtml } from './sanitized-html.ts'

/** A picture that may be fetched, and the address of the feed that led to it: the network policy depends on it. */
export interface PictureSource {
  url: string
  feedUrl: WebAddress
}

/** Which picture of an entry is wanted: one that it refers to, or its own, for a list or in full. */
export type WantedPicture = { url: string } | { size: 'small' | 'full' }

/** The stated pictures, else the first large one of the text, else the one that the page of an article that may be shown names. */
export function pictureOfEntry(
  entry: Entry,
  article?: StoredArticle,
  choose: (media: readonly Medium[]) => Medium | undefined = bestPicture,
): string | undefined {
  const ofArticle = article?.facts?.image
  return pictureOfFeed(entry, choose) ?? (ofArticle !== undefined && isShowable(ofArticle) ? ofArticle : undefined)
}

/** Without the article, which need not be loaded if there is one. */
export function pictureOfFeed(
  { media, content, summary, url }: Entry,
  choose: (media: readonly Medium[]) => Medium | undefined = bestPicture,
): string | undefined {
  const showable = media?.filter((medium) => isShowable(medium.url, medium.type))
  const stated = showable && choose(showable)?.url
  if (stated !== undefined) return stated
  for (const html of [content, summary]) {
    const found = html && largePictures(html, url).find((picture) => isShowable(picture))
    if (found) return found
  }
  return undefined
}

type PictureStores = Pick<Roles, 'catalogue' | 'articleCatalogue' | 'readerState'>

/** Undefined if the entry does not exist or has no such picture. */
export async function entryPicture(
  id: EntryId,
  wanted: WantedPicture,
  stores: PictureStores,
  reader: UserId | undefined,
): Promise<PictureSource | undefined> {
  const [entry] = await stores.catalogue.entriesById([id])
  if (!entry) return undefined
  const url =
    'url' in wanted
      ? (await refersTo(entry, wanted.url, stores, reader)) && wanted.url
      : await ownPicture(entry, wanted.size, stores, reader)
  const [scheduled] = url ? await stores.catalogue.feedsById([entry.feedId]) : []
  return url && scheduled ? { url, feedUrl: scheduled.feed.url } : undefined
}

/** Undefined if the feed does not exist. */
export async function feedIcon(id: FeedId, catalogue: Catalogue): Promise<PictureSource | undefined> {
  const [scheduled] = await catalogue.feedsById([id])
  return scheduled && siteIcon(scheduled.feed)
}

/** At the address that nearly every site uses. */
export function siteIcon({ siteUrl, url }: Pick<Feed, 'siteUrl' | 'url'>): PictureSource {
  return { url: new URL('/favicon.ico', siteUrl ?? url).href, feedUrl: url }
}

async function ownPicture(
  entry: Entry,
  size: 'small' | 'full',
  stores: PictureStores,
  reader: UserId | undefined,
): Promise<string | undefined> {
  const choose = size === 'small' ? smallPicture : bestPicture
  return pictureOfFeed(entry, choose) ?? pictureOfEntry(entry, await showableArticle(entry, stores, reader))
}

async function showableArticle(
  entry: Entry,
  stores: PictureStores,
  reader: UserId | undefined,
): Promise<StoredArticle | undefined> {
  const [article] = await stores.articleCatalogue.articlesOfEntries([entry.id])
  const [isShown] = await showableArticles([entry], [article], { reader }, stores)
  return isShown ? article : undefined
}

/** SVG is not fetched: it can contain scripts. */
function isShowable(url: string, type?: string): boolean {
  return /^https?:/.test(url) && !/^image\/svg/i.test(type ?? '') && !/\.svgz?$/i.test(url.split(/[?#]/, 1)[0]!)
}

async function refersTo(
  entry: Entry,
  requestedUrl: string,
  stores: PictureStores,
  reader: UserId | undefined,
): Promise<boolean> {
  return containsPicture(entry, requestedUrl) || articleContainsPicture(entry, requestedUrl, stores, reader)
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
  entry: Entry,
  requestedUrl: string,
  stores: PictureStores,
  reader: UserId | undefined,
): Promise<boolean> {
  const article = await showableArticle(entry, stores, reader)
  if (!article) return false
  if (article.facts?.image === requestedUrl) return true
  const [text] = await stores.articleCatalogue.articleTexts([article.id])
  return text !== undefined && hasImage(sanitizedHtml(text.html, article.pageUrl ?? article.url), requestedUrl)
}

/** Relies on the exact output of `sanitizedHtml`. */
function hasImage(html: string, requestedUrl: string): boolean {
  return html.includes(` src="${escapeAttribute(requestedUrl)}"`)
}

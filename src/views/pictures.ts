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

/** A file that may be fetched for users, and the address of the feed that led to it: the network policy depends on it. */
export interface LinkedFile {
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
): Promise<LinkedFile | undefined> {
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
export async function feedIcon(id: FeedId, catalogue: Catalogue): Promise<LinkedFile | undefined> {
  const [scheduled] = await catalogue.feedsById([id])
  return scheduled && siteIcon(scheduled.feed)
}

/** At the address that nearly every site uses. */
export function siteIcon({ siteUrl, url }: Pick<Feed, 'siteUrl' | 'url'>): LinkedFile {
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
  return containsPicture(entry, requestedUrl) || articleContainsFile(entry, requestedUrl, stores, reader)
}

/** Audio or video. Undefined if the entry does not exist or has no such recording. */
export async function entryRecording(
  id: EntryId,
  url: string,
  stores: PictureStores,
  reader: UserId | undefined,
): Promise<(LinkedFile & { type?: string | undefined }) | undefined> {
  const [entry] = await stores.catalogue.entriesById([id])
  if (!entry || !/^https?:/.test(url)) return undefined
  const stated = entry.media?.find(
    (medium) => (medium.kind === 'audio' || medium.kind === 'video') && medium.url === url,
  )
  const isNamed = stated || textsContain(entry, url) || (await articleContainsFile(entry, url, stores, reader))
  const [scheduled] = isNamed ? await stores.catalogue.feedsById([entry.feedId]) : []
  return scheduled && { url, feedUrl: scheduled.feed.url, type: stated?.type }
}

function containsPicture(entry: Entry, requestedUrl: string): boolean {
  const { media = [], people = [] } = entry
  return (
    media.some((medium) => medium.kind === 'image' && medium.url === requestedUrl) ||
    people.some(({ image }) => image === requestedUrl) ||
    textsContain(entry, requestedUrl)
  )
}

function textsContain({ content = '', summary = '', url }: Entry, requestedUrl: string): boolean {
  return hasSource(sanitizedHtml(content, url), requestedUrl) || hasSource(sanitizedHtml(summary, url), requestedUrl)
}

async function articleContainsFile(
  entry: Entry,
  requestedUrl: string,
  stores: PictureStores,
  reader: UserId | undefined,
): Promise<boolean> {
  const article = await showableArticle(entry, stores, reader)
  if (!article) return false
  if (article.facts?.image === requestedUrl) return true
  const [text] = await stores.articleCatalogue.articleTexts([article.id])
  return text !== undefined && hasSource(sanitizedHtml(text.html, article.pageUrl ?? article.url), requestedUrl)
}

/** Relies on the exact output of `sanitizedHtml`. */
function hasSource(html: string, requestedUrl: string): boolean {
  return html.includes(` src="${escapeAttribute(requestedUrl)}"`)
}

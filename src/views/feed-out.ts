/**
 * A feed that we give out. What it holds is a value, `FeedOut`, whoever made it: the query of an address, or something that was
 * saved. Here its entries are found and made ready, in no format yet: all HTML is safe for a browser, dates are never in the
 * future, and what a page asks not to be shown from a copy is not.
 */
import { paragraphs, sanitise } from '../articles/index.ts'
import { plainText } from '../feeds/index.ts'
import {
  type ArticleText,
  type Entry,
  type EntryId,
  type FeedId,
  type GroupLevel,
  type Instant,
  type Medium,
  placeInTime,
} from '../model/index.ts'
import type { Catalogue, Clock, EntryQuery, QueryFault, Search } from '../ports/index.ts'
import { type Catalogues, feedNames, findEntries } from './find-entries.ts'
import { ownWordsOf } from './own-words.ts'
import { entryShape } from './shapes/entry.ts'

export interface FeedOut {
  /** What must be found in its entries. */
  q?: string
  feedId?: FeedId
  folder?: string
  category?: string
  /** Of each group at this level only one. */
  unique?: GroupLevel
  /** full: the article where it was fetched, else all that the feed says. */
  text: 'full' | 'summary'
  limit: number
}

export interface OutgoingFeed {
  title: string
  /** When something of it last changed; the beginning of time where there is nothing. */
  changedAt: Instant
  /** Newest first. */
  items: OutgoingItem[]
}

export interface OutgoingItem {
  id: EntryId
  seenAt: Instant
  url?: string
  title: string
  /** Safe for a browser. */
  html: string
  author?: string
  feedTitle?: string
  publishedAt: Instant
  /** When its feed said something else. */
  changedAt?: Instant
  /** When what is given out of it was last brought here, be it its page. */
  broughtAt: Instant
  language?: string
  tags: string[]
  /** What is to be heard or seen. */
  recordings: Medium[]
}

/** So many of the newest entries are looked through for a folder or category. */
const MOST_LOOKED_AT = 5000
const CHUNK = 500
/** A folder of so few feeds is put together from each of them, however long ago they said something. */
const FEW_FEEDS = 40
const SUMMARY_LENGTH = 600

type From = Catalogues & { search: Search; clock: Clock }

/** Undefined if its feed is not there; a fault if nobody can tell what is to be found. */
export async function outgoingFeed(wanted: FeedOut, from: From): Promise<OutgoingFeed | QueryFault | undefined> {
  const { feedId } = wanted
  const [held] = feedId === undefined ? [] : await from.catalogue.feedsById([feedId])
  if (feedId !== undefined && !held) return undefined
  const entries = await entriesFor(wanted, from)
  if ('fault' in entries) return entries
  const items = await outgoingItems(entries, wanted.text, from)
  const title = titleOf(wanted, held?.feed.title || held?.feed.url)
  return { title, changedAt: Math.max(0, ...items.map(({ broughtAt }) => broughtAt)), items }
}

function titleOf({ q, folder, category, unique }: FeedOut, feedTitle: string | undefined): string {
  const narrowed = [q === undefined ? undefined : `“${q}”`, feedTitle, folder, category].filter(Boolean).join(', ')
  const only = unique === 'story' ? ' (each story once)' : unique === 'copy' ? ' (without copies)' : ''
  return `${narrowed || 'All entries'}${only}`
}

async function entriesFor(wanted: FeedOut, from: From): Promise<Entry[] | QueryFault> {
  const { q, feedId, folder, category, unique, limit } = wanted
  const { catalogue } = from
  const members = folder === undefined ? undefined : await feedsIn(folder, catalogue)
  const query = { ...(feedId !== undefined && { feedId }), ...(unique && { unique }) }
  const fits = (entry: Entry) =>
    (!members || members.has(entry.feedId)) && (category === undefined || entryShape(entry).category === category)

  if (q !== undefined) {
    const feedIds = feedId === undefined ? members && [...members] : [feedId]
    const found = await findEntries(q, from, {
      ...(feedIds && { feedIds }),
      ...(category !== undefined && { category }),
      ...(unique && { unique }),
      limit,
      order: 'date',
      now: from.clock.now(),
    })
    return 'fault' in found ? found : found.entries.filter(fits)
  }
  if (members && feedId === undefined && members.size <= FEW_FEEDS) {
    const lists = await Promise.all(
      [...members].map((member) => firstThatFit(catalogue, { ...query, feedId: member }, fits, limit)),
    )
    return lists.flat().sort(newestFirst).slice(0, limit)
  }
  return firstThatFit(catalogue, query, fits, limit)
}

async function feedsIn(folder: string, catalogue: Catalogue): Promise<Set<FeedId>> {
  const ids = new Set<FeedId>()
  for (let after: { id: FeedId; dueAt: Instant } | undefined; ; ) {
    const feeds = await catalogue.feeds({ folder, order: 'id', limit: CHUNK, ...(after && { after }) })
    for (const { feed } of feeds) ids.add(feed.id)
    const last = feeds.at(-1)
    if (!last || feeds.length < CHUNK) return ids
    after = { id: last.feed.id, dueAt: last.schedule.dueAt }
  }
}

async function firstThatFit(
  catalogue: Catalogue,
  query: Omit<EntryQuery, 'limit'>,
  fits: (entry: Entry) => boolean,
  limit: number,
): Promise<Entry[]> {
  const found: Entry[] = []
  let after: EntryQuery['after']
  for (let seen = 0, step = limit; seen < MOST_LOOKED_AT; step = CHUNK) {
    const entries = await catalogue.entries({ ...query, ...(after && { after }), limit: step })
    found.push(...entries.filter(fits))
    const last = entries.at(-1)
    if (!last || entries.length < step || found.length >= limit) break
    after = placeInTime(last)
    seen += entries.length
  }
  return found.slice(0, limit)
}

function newestFirst(a: Entry, b: Entry): number {
  return placeInTime(b).at - placeInTime(a).at || b.id - a.id
}

async function outgoingItems(entries: Entry[], text: FeedOut['text'], from: From): Promise<OutgoingItem[]> {
  const names = await feedNames(entries, from)
  const own = await ownWordsOf(entries, from)
  const pages = text === 'full' ? await pagesOf(entries, from.catalogue) : []
  return entries.map((entry, i): OutgoingItem => {
    const { id, seenAt, url, author, changedAt, media = [], tags = [], language } = entry
    const feedTitle = names.get(entry.feedId)
    const page = pages[i]
    return {
      id,
      seenAt,
      ...(url !== undefined && { url }),
      title: own.get(entry.feedId)?.title(entry.title) ?? entry.title,
      html: text === 'full' ? (page?.html ?? sanitise(entry.content ?? entry.summary ?? '', url)) : shortened(entry),
      ...(author && { author }),
      ...(feedTitle && { feedTitle }),
      publishedAt: placeInTime(entry).at,
      ...(changedAt !== undefined && { changedAt }),
      broughtAt: Math.max(seenAt, changedAt ?? 0, page?.at ?? 0),
      ...(language && { language }),
      tags,
      recordings: media.filter(({ kind }) => kind === 'audio' || kind === 'video'),
    }
  })
}

/** In the order of the entries: the text of the page, where it was fetched and may be shown. */
async function pagesOf(entries: Entry[], catalogue: Catalogue): Promise<({ html: string; at: Instant } | undefined)[]> {
  const articles = await catalogue.articlesOfEntries(entries.map(({ id }) => id))
  const shown = articles.filter((article) => article !== undefined).filter(({ noArchive }) => !noArchive)
  const texts = await catalogue.articleTexts(shown.map(({ id }) => id))
  const byArticle = new Map(shown.map(({ id }, i): [number, ArticleText | undefined] => [id, texts[i]]))
  return articles.map((article) => {
    const html = article && byArticle.get(article.id)?.html
    return html ? { html: sanitise(html, article.pageUrl ?? article.url), at: article.fetchedAt ?? 0 } : undefined
  })
}

/** The beginning of its text, cut between words. */
function shortened({ summary, content }: Entry): string {
  const text = plainText(summary ?? content ?? '')
  if (text.length <= SUMMARY_LENGTH) return text && paragraphs(text)
  return paragraphs(`${text.slice(0, SUMMARY_LENGTH).replace(/\s+\S*$/, '')} …`)
}

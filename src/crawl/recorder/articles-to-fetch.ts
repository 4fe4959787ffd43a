/**
 * Selects the articles to fetch after a poll: those of new entries, and again those of changed entries. By default only for feeds that do not
 * contain full texts. For a new feed only the newest entries count, and none that are long past. Transcripts of recordings are fetched
 * unless the user wants no articles, since no feed contains them.
 */
import { bestTranscript } from '../../articles/index.ts'
import { hasFullText, pageAddress } from '../../feeds/index.ts'
import {
  type ArticlePreference,
  bucketOf,
  DAY,
  type EntryDraft,
  type Feed,
  HOUR,
  type Instant,
  sortAt,
  type WebAddress,
} from '../../model/index.ts'
import { rootOf, tenantOf } from '../../politeness/index.ts'
import type { PageRequest, PollRecord } from '../../ports/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import type { PollTexts } from './poll-texts.ts'

export interface ArticlePolicy {
  /** The default for feeds without a setting of their own. */
  preference: ArticlePreference
  /** How many articles of a new feed are fetched. */
  backlog: number
}

const MAX_AGE_MS = 30 * DAY // chosen: older articles are hardly read
/** Chosen: some feeds change a title back and forth at every poll. */
const REFETCH = { afterMs: 6 * HOUR, most: 10 }

interface Window {
  /** All entries of the document. */
  entries: EntryDraft[]
  fresh: EntryDraft[]
  changed: EntryDraft[]
  /** The first document of a feed, or one of its archive. */
  isBacklog: boolean
}

export async function articlesToFetch(
  feed: Pick<Feed, 'articles'>,
  { entries, fresh, changed, isBacklog }: Window,
  policy: ArticlePolicy | undefined,
  at: Instant,
  texts: PollTexts,
): Promise<Pick<PollRecord, 'articles'>> {
  if (!policy || fresh.length + changed.length === 0) return {}
  const [preference, wantsAll] = [feed.articles ?? policy.preference, wantsArticles(feed, entries, policy, texts)]
  const isWanted = (entry: EntryDraft) => wantsAll || (preference !== 'never' && transcriptOf(entry) !== undefined)
  const newest = newestEntries(fresh.filter(isWanted), isBacklog ? policy.backlog : fresh.length, at)
  const articles = [
    ...(await mapInSlices(newest, (entry) => articleOf(entry))).flat(),
    ...(await mapInSlices(changed.filter(isWanted), (entry) => articleOf(entry, REFETCH))).flat(),
  ]
  return articles.length > 0 ? { articles } : {}
}

export function wantsArticles(
  { articles }: Pick<Feed, 'articles'>,
  entries: EntryDraft[],
  policy: ArticlePolicy | undefined,
  texts?: PollTexts,
): policy is ArticlePolicy {
  const preference = policy && (articles ?? policy.preference)
  return preference === 'always' || (preference === 'auto' && !hasFullText(entries, texts?.fullTextSample))
}

/** Omits entries older than the limit; entries without a date count as new. */
export function newestEntries<E extends EntryDraft>(entries: E[], most: number, at: Instant): E[] {
  const recent = entries.filter((entry) => sortAt(entry, at) > at - MAX_AGE_MS)
  return recent.toSorted((a, b) => sortAt(b, at) - sortAt(a, at)).slice(0, most)
}

/** The transcript of an episode if there is one: it is the full text, while the page only has notes. */
export function articleToFetch(entry: EntryDraft, again?: PageRequest['again']): PageRequest | undefined {
  const page = transcriptOf(entry) ?? (entry.url === undefined ? undefined : pageAddress(entry.url))
  return page === undefined
    ? undefined
    : { url: page, root: tenantOf(page), bucket: bucketOf(rootOf(page)), ...(again && { again }) }
}

function transcriptOf({ podcast, language }: EntryDraft): WebAddress | undefined {
  return podcast?.transcripts && bestTranscript(podcast.transcripts, language)?.url
}

function articleOf(entry: EntryDraft, again?: PageRequest['again']): NonNullable<PollRecord['articles']> {
  const page = articleToFetch(entry, again)
  return page ? [{ key: entry.key, ...page }] : []
}

/**
 * Which pages a poll has fetched: those of entries that are new, and again those of entries that changed. Where nobody said
 * what is wanted, only of feeds that do not show whole texts. Of a feed that is read for the first time only the newest,
 * and nothing that is long past. Transcripts of recordings are fetched unless a person wants no pages: no feed shows them.
 */
import { bestTranscript } from '../../articles/index.ts'
import { pageAddress, showsFullText } from '../../feeds/index.ts'
import {
  bucketOf,
  DAY,
  type EntryDraft,
  type Feed,
  HOUR,
  type Instant,
  type PagePreference,
  sortAt,
  type WebAddress,
} from '../../model/index.ts'
import { rootOf, tenantOf } from '../../politeness/index.ts'
import type { PageToFetch, PollRecord } from '../../ports/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import type { PollTexts } from './poll-texts.ts'

export interface ArticlePolicy {
  /** For feeds of which a person has not said otherwise. */
  preference: PagePreference
  /** Of a feed that is read for the first time, so many pages are fetched. */
  backlog: number
}

const OLDEST_MS = 30 * DAY // ours: what is older was read by those who wanted to
/** Ours: some feeds change a title back and forth at every poll. */
const AGAIN = { afterMs: 6 * HOUR, most: 10 }

interface Window {
  /** All that the feed shows. */
  entries: EntryDraft[]
  fresh: EntryDraft[]
  changed: EntryDraft[]
  /** The feed was never read before, or these are older entries that were sought. */
  isBacklog: boolean
}

export async function pagesOf(
  feed: Pick<Feed, 'articles'>,
  { entries, fresh, changed, isBacklog }: Window,
  policy: ArticlePolicy | undefined,
  at: Instant,
  texts: PollTexts,
): Promise<Pick<PollRecord, 'pages'>> {
  if (!policy || fresh.length + changed.length === 0) return {}
  const [preference, wantsAll] = [feed.articles ?? policy.preference, wantsPages(feed, entries, policy, texts)]
  const isWanted = (entry: EntryDraft) => wantsAll || (preference !== 'never' && transcriptOf(entry) !== undefined)
  const newest = newestEntries(fresh.filter(isWanted), isBacklog ? policy.backlog : fresh.length, at)
  const pages = [
    ...(await mapInSlices(newest, (entry) => pageOf(entry))).flat(),
    ...(await mapInSlices(changed.filter(isWanted), (entry) => pageOf(entry, AGAIN))).flat(),
  ]
  return pages.length > 0 ? { pages } : {}
}

export function wantsPages(
  { articles }: Pick<Feed, 'articles'>,
  entries: EntryDraft[],
  policy: ArticlePolicy | undefined,
  texts?: PollTexts,
): policy is ArticlePolicy {
  const preference = policy && (articles ?? policy.preference)
  return preference === 'always' || (preference === 'auto' && !showsFullText(entries, texts?.judged))
}

/** Not those that are long past; those without a date are new as far as we know. */
export function newestEntries<E extends EntryDraft>(entries: E[], most: number, at: Instant): E[] {
  const recent = entries.filter((entry) => sortAt(entry, at) > at - OLDEST_MS)
  return recent.toSorted((a, b) => sortAt(b, at) - sortAt(a, at)).slice(0, most)
}

/** Of an episode with a transcript, that: it is the whole text, where its page has notes. */
export function pageToFetch(entry: EntryDraft, again?: PageToFetch['again']): PageToFetch | undefined {
  const page = transcriptOf(entry) ?? (entry.url === undefined ? undefined : pageAddress(entry.url))
  return page === undefined
    ? undefined
    : { url: page, root: tenantOf(page), bucket: bucketOf(rootOf(page)), ...(again && { again }) }
}

function transcriptOf({ podcast, language }: EntryDraft): WebAddress | undefined {
  return podcast?.transcripts && bestTranscript(podcast.transcripts, language)?.url
}

function pageOf(entry: EntryDraft, again?: PageToFetch['again']): NonNullable<PollRecord['pages']> {
  const page = pageToFetch(entry, again)
  return page ? [{ key: entry.key, ...page }] : []
}

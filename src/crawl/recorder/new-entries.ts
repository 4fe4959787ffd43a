/**
 * Finds the new and changed entries of a window, with valid dates, language and category, and the articles to fetch for them. Used for
 * polls, pushes and archive documents of feeds.
 */
import { reconcileInSteps } from '../../feeds/index.ts'
import { type EntryDraft, extrasOf, type Feed } from '../../model/index.ts'
import type { EntryChanges } from '../../ports/index.ts'
import { inSlices, mapInSlices } from '../../runtime/index.ts'
import { articlesToFetch } from './articles-to-fetch.ts'
import { classifyNews } from './classify.ts'
import { estimateDates } from './estimate-dates.ts'
import type { Policy } from './policy.ts'
import { createPollTexts } from './poll-texts.ts'
import { type KnownEntries, type Window, withValidDates } from './window.ts'

const MAX_COMPLETED = 500 // per poll; the others follow with the next

export async function newsInWindow(
  window: Window,
  feed: Pick<Feed, 'articles' | 'language' | 'category'>,
  knownEntries: KnownEntries,
  { articles, languageOf }: Pick<Policy, 'articles' | 'languageOf'>,
): Promise<{ news: EntryChanges; gap: boolean }> {
  const { kind, at } = window
  const entries = await mapInSlices(window.entries, (entry) => withValidDates(entry, at))
  const validDates = new Map(window.entries.map((entry, i) => [entry, entries[i]!]))
  const estimates = await estimateDates({ ...window, entries })
  const found = await inSlices(
    reconcileInSteps(window.entries, knownEntries.keys, kind === 'first', knownEntries.recentTexts, at),
  )
  const withDates = (entry: EntryDraft) => {
    const draft = validDates.get(entry)!
    const estimate = estimates.get(draft)
    return estimate ? { ...draft, estimate } : draft
  }
  const news = { fresh: found.fresh.map(withDates), changed: kind === 'older' ? [] : found.changed.map(withDates) }
  const texts = createPollTexts()
  // Imported entries that the first document changes are old: users request their pages if they want them.
  const wanted = kind === 'first' ? { ...news, changed: [] } : news
  const isBacklog = kind !== 'latest'
  const requests = await articlesToFetch(feed, { ...wanted, entries, isBacklog }, articles, at, texts)
  const { keyChanges } = knownEntries
  const completed = found.completed
    .slice(0, MAX_COMPLETED)
    .map((draft) => ({ key: draft.key, extras: extrasOf(draft)! }))
  return {
    news: {
      ...(keyChanges && { keyChanges }),
      ...(completed.length > 0 && { completed }),
      ...(await classifyNews(news, feed, languageOf, texts)),
      ...requests,
    },
    gap: found.gap,
  }
}

/**
 * What a window has that the store has not: entries that are new, and those that say something else now, soundly dated, with
 * their language and category; and the pages that they want fetched. It is the same whoever brought the window: a poll, a
 * hub, or an older document of the feed.
 */
import { reconcileInSteps } from '../../feeds/index.ts'
import { type EntryDraft, extrasOf, type Feed } from '../../model/index.ts'
import type { News } from '../../ports/index.ts'
import { inSlices, mapInSlices } from '../../runtime/index.ts'
import { pagesOf } from './articles-to-fetch.ts'
import { classifiedNews } from './classify.ts'
import { estimatedDates } from './estimate-dates.ts'
import type { Policy } from './policy.ts'
import { createPollTexts } from './poll-texts.ts'
import { type KnownWindow, soundlyDated, type Window } from './window.ts'

const MOST_COMPLETED = 500 // at one poll; the others come with the next

export async function newsInWindow(
  window: Window,
  feed: Pick<Feed, 'articles' | 'language' | 'category'>,
  known: KnownWindow,
  { articles, languageOf }: Pick<Policy, 'articles' | 'languageOf'>,
): Promise<{ news: News; gap: boolean }> {
  const { kind, at } = window
  const entries = await mapInSlices(window.entries, (entry) => soundlyDated(entry, at))
  const sound = new Map(window.entries.map((entry, i) => [entry, entries[i]!]))
  const estimates = await estimatedDates({ ...window, entries })
  const found = await inSlices(reconcileInSteps(window.entries, known.keys, kind === 'first', known.said, at))
  const dated = (entry: EntryDraft) => {
    const draft = sound.get(entry)!
    const estimate = estimates.get(draft)
    return estimate ? { ...draft, estimate } : draft
  }
  const news = { fresh: found.fresh.map(dated), changed: kind === 'older' ? [] : found.changed.map(dated) }
  const texts = createPollTexts()
  const pages = await pagesOf(feed, { ...news, entries, isBacklog: kind !== 'latest' }, articles, at, texts)
  const { rekeyed } = known
  const completed = found.completed
    .slice(0, MOST_COMPLETED)
    .map((draft) => ({ key: draft.key, extras: extrasOf(draft)! }))
  return {
    news: {
      ...(rekeyed && { rekeyed }),
      ...(completed.length > 0 && { completed }),
      ...(await classifiedNews(news, feed, languageOf, texts)),
      ...pages,
    },
    gap: found.gap,
  }
}

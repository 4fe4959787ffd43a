/** Why a feed is polled when it is, as far as the store can tell: the answer is the same for who crawls and who only looks. */
import type { ScheduledFeed } from '../model/index.ts'
import {
  type Limits,
  ofNearestFolder,
  strategyNamed,
  termsOf,
  troubleWithStrategy,
  type Why,
  whyDue,
} from '../polling/index.ts'
import type { MarketBook } from '../ports/index.ts'

/** `limits`: those of everybody. Undefined while no poll has set the date. */
export async function whyOf(
  scheduled: ScheduledFeed,
  { marketBook, limits }: { marketBook: MarketBook; limits: Limits },
): Promise<Why | undefined> {
  const { feed, schedule } = scheduled
  if (!schedule.because) return undefined
  const trouble = troubleWithStrategy(schedule.strategy)
  if (trouble) return { by: schedule.because.by, words: `${trouble.message}; give it another` }
  const folder = ofNearestFolder(await marketBook.folders(), feed.folder)
  const terms = { ...termsOf(feed, folder, limits, schedule.because.price), ranked: true as const }
  return whyDue(scheduled, strategyNamed(schedule.strategy), terms)
}

/** Why a feed is polled when it is, as far as the store can tell: the answer is the same for who crawls and who only looks. */
import { formatDuration, type Market, MINUTE, type ScheduledFeed } from '../model/index.ts'
import type { MarketBook } from '../ports/index.ts'
import {
  AUTO_LEAST_PRICE,
  delayExpected,
  type Limits,
  ofNearestFolder,
  strategyNamed,
  termsOf,
  troubleWithStrategy,
  type Why,
  whyDue,
} from '../scheduling/index.ts'

/** `limits`: those of everybody. Undefined while no poll has set the date. */
export async function explainSchedule(
  scheduled: ScheduledFeed,
  { marketBook, limits }: { marketBook: MarketBook; limits: Limits },
): Promise<Why | undefined> {
  const { feed, schedule } = scheduled
  if (!schedule.because) return undefined
  const trouble = troubleWithStrategy(schedule.strategy)
  if (trouble) return { by: schedule.because.by, words: `${trouble.message}; give it another` }
  const folder = ofNearestFolder(await marketBook.folders(), feed.folder)
  const terms = { ...termsOf(feed, folder, limits, schedule.because.price), ranked: true as const }
  const why = whyDue(scheduled, strategyNamed(schedule.strategy), terms)
  const costs = budgetCosts(await marketBook.market())
  return why && costs ? { ...why, words: `${why.words}; ${costs}` } : why
}

/** What a named budget costs in waiting, where it is dearer than polls are without one. */
function budgetCosts(market: Market | undefined): string | undefined {
  if (market?.budget === undefined || market.price <= AUTO_LEAST_PRICE) return undefined
  const [now, without] = [delayExpected(market), delayExpected(market, AUTO_LEAST_PRICE)]
  if (now === undefined || without === undefined || now - without < MINUTE) return undefined
  return `with ${market.budget.toLocaleString('en')} polls a day an entry of any feed waits ${formatDuration(now)} in the mean, ${formatDuration(now - without)} longer than without a budget`
}

/** Explains why a feed is due when it is. Uses the store alone, so the answer does not depend on a running crawl. */
import { formatDuration, type Market, MINUTE, type ScheduledFeed } from '../model/index.ts'
import type { PollMarket } from '../ports/index.ts'
import {
  AUTO_MIN_PRICE,
  type DueExplanation,
  delayExpected,
  explainDueDate,
  type Limits,
  strategyError,
  strategyNamed,
  termsOf,
  valueOfNearestFolder,
} from '../scheduling/index.ts'

/** `limits` are those of all feeds. Undefined until a poll has set the due date. */
export async function explainSchedule(
  scheduled: ScheduledFeed,
  { pollMarket, limits }: { pollMarket: PollMarket; limits: Limits },
): Promise<DueExplanation | undefined> {
  const { feed, schedule } = scheduled
  if (!schedule.because) return undefined
  const problem = strategyError(schedule.strategy)
  if (problem) return { by: schedule.because.by, words: `${problem.message}; choose another strategy` }
  const folder = valueOfNearestFolder((await pollMarket.pollSettings()).folderGoals, feed.folder)
  const terms = { ...termsOf(feed, folder, limits, schedule.because.price), ranked: true as const }
  const why = explainDueDate(scheduled, strategyNamed(schedule.strategy), terms)
  const costs = budgetCosts(await pollMarket.market())
  return why && costs ? { ...why, words: `${why.words}; ${costs}` } : why
}

/** The delay that a fixed budget adds, if it makes polls more expensive than `auto` does. */
function budgetCosts(market: Market | undefined): string | undefined {
  if (market?.budget === undefined || market.price <= AUTO_MIN_PRICE) return undefined
  const [now, without] = [delayExpected(market), delayExpected(market, AUTO_MIN_PRICE)]
  if (now === undefined || without === undefined || now - without < MINUTE) return undefined
  return `with ${market.budget.toLocaleString('en')} polls a day an entry of any feed waits ${formatDuration(now)} on average, ${formatDuration(now - without)} longer than without a budget`
}

/** Explains to users why a feed is polled when it is, in words and numbers. */
import { type DueBecause, type Feed, formatDuration, type ScheduledFeed } from '../model/index.ts'
import { formatAmount } from './format-amount.ts'
import { type Expectation, followsPrice, type Reason, type Strategy, type Terms } from './strategy.ts'

export interface DueExplanation {
  by: DueBecause
  words: string
  /** What the strategy expects, if it makes forecasts. */
  expectation?: Expectation
  /** The values its decision is based on: M, T and ToE, a mean gap, a rate. */
  figures?: Reason['figures']
}

/** `terms` as they were when the date was set. Undefined before the first poll. */
export function explainDueDate(
  { schedule, feed }: ScheduledFeed,
  strategy: Strategy,
  terms: Terms,
): DueExplanation | undefined {
  const { because, polledAt, dueAt, memory } = schedule
  if (!because || polledAt === undefined || feed.state !== 'active') return undefined
  const isLearned = schedule.succeededAt !== undefined && schedule.failures === 0
  const expectation = isLearned ? strategy.expect?.(memory, polledAt, dueAt, terms) : undefined
  const reason = isLearned ? strategy.reason?.(memory, polledAt, terms) : undefined
  const expected = expectation ? describeExpectation(expectation, terms) : reason?.text
  const bound = describeBound(because.by, terms, schedule.failures)
  const sizeNote = followsPrice(strategy, memory, polledAt, terms) ? describeSize(feed, terms) : ''
  return {
    by: because.by,
    words: [bound, expected, sizeNote].filter(Boolean).join('; ') || `set by the strategy ${schedule.strategy}`,
    ...(expectation && { expectation }),
    ...(reason && { figures: reason.figures }),
  }
}

function describeBound(by: DueBecause, { limits }: Terms, failures: number): string {
  switch (by) {
    case 'strategy':
      return ''
    case 'min-interval':
      return `the minimum interval is ${formatDuration(limits.minMs)}`
    case 'max-interval':
      return `the maximum interval is ${formatDuration(limits.maxMs)}`
    case 'server':
      return 'the server asked to wait until then'
    case 'publisher':
      return 'the feed asks not to be polled earlier'
    case 'failure':
      return failures > 1
        ? `the last ${failures} polls failed, and each failure lengthens the wait`
        : 'the last poll failed, and is retried then'
    case 'push':
      return 'the hub pushes updates; this poll is a safety net'
    case 'budget':
      return 'it was due earlier, but the budget is spent on more useful polls until then'
    case 'requested':
      return 'a user requested this poll, and it waits in the queue of its host'
  }
}

function describeSize({ quirks }: Pick<Feed, 'quirks'>, { cost = 1 }: Terms): string {
  if (cost <= 1 || quirks?.pollBytes === undefined) return ''
  const factor = formatAmount(Math.sqrt(cost))
  return `its responses average ${formatAmount(quirks.pollBytes / 1e6)} MB, so it is polled ${factor} times less often than a small feed`
}

function describeExpectation(
  { perDay, between, pending, decided, hours, weekdays }: Expectation,
  { goalMs }: Terms,
): string {
  const rate = `about ${formatAmount(perDay)} entries a day are expected${formatRange(between)}${describePeaks(hours, weekdays)}`
  // While a burst lasts, its entries are not part of the rate.
  if (decided === 'burst')
    return `many entries have just arrived, and about ${formatAmount(pending)} more are expected by then`
  const by = `, ${formatAmount(pending)} of them by then`
  switch (decided) {
    case 'window':
      return `${rate}${by}, and more would overflow the feed`
    case 'silence':
      return `${rate}${by}; it has been silent for longer than usual`
    case 'goal':
      return `${rate}${by}, and the goal is to fetch them within ${formatDuration(goalMs ?? 0)}`
    default:
      return `${rate}${by}`
  }
}

/** The range is wide if little was observed. */
function formatRange(between: Expectation['between']): string {
  if (!between) return ''
  const [low, high] = between.map(formatAmount)
  return low === high ? '' : ` (${low} to ${high})`
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** A peak is mentioned if it is at least twice the average. */
const PEAK_FACTOR = 2

function describePeaks(hours: number[] | undefined, weekdays: number[] | undefined): string {
  const hour = hours && peakOf(hours)
  const day = weekdays && peakOf(weekdays)
  const parts = [
    ...(day !== undefined ? [`on ${DAYS[day]}s`] : []),
    ...(hour !== undefined ? [`around ${String(hour).padStart(2, '0')}:00 UTC`] : []),
  ]
  return parts.length > 0 ? `, most ${parts.join(' and ')}` : ''
}

function peakOf(shares: number[]): number | undefined {
  const highest = Math.max(...shares)
  return highest * shares.length >= PEAK_FACTOR ? shares.indexOf(highest) : undefined
}

/** Explains to users why a feed is polled when it is, in words and numbers. */
import { type DueBecause, type Feed, formatDuration, type ScheduledFeed } from '../model/index.ts'
import { formatAmount } from './format-amount.ts'
import { type Expectation, followsPrice, type Reason, type Strategy, type Terms } from './strategy.ts'

export interface Why {
  by: DueBecause
  words: string
  /** What the strategy expects, if it makes forecasts. */
  expectation?: Expectation
  /** The values its decision is based on: M, T and ToE, a mean gap, a rate. */
  figures?: Reason['figures']
}

/** `terms` as they were when the date was set. Undefined before the first poll. */
export function whyDue({ schedule, feed }: ScheduledFeed, strategy: Strategy, terms: Terms): Why | undefined {
  const { because, polledAt, dueAt, memory } = schedule
  if (!because || polledAt === undefined || feed.state !== 'active') return undefined
  const learnt = schedule.succeededAt !== undefined && schedule.failures === 0
  const expectation = learnt ? strategy.expect?.(memory, polledAt, dueAt, terms) : undefined
  const reason = learnt ? strategy.reason?.(memory, polledAt, terms) : undefined
  const parts = expectation ? describeExpectation(expectation, terms) : reason?.words
  const bound = describeBound(because.by, terms, schedule.failures)
  const large = followsPrice(strategy, memory, polledAt, terms) ? describeSize(feed, terms) : ''
  return {
    by: because.by,
    words: [bound, parts, large].filter(Boolean).join('; ') || `the strategy ${schedule.strategy} wishes so`,
    ...(expectation && { expectation }),
    ...(reason && { figures: reason.figures }),
  }
}

function describeBound(by: DueBecause, { limits }: Terms, failures: number): string {
  switch (by) {
    case 'strategy':
      return ''
    case 'min-interval':
      return `no feed is polled sooner than ${formatDuration(limits.minMs)} after its last poll`
    case 'max-interval':
      return `no feed waits longer than ${formatDuration(limits.maxMs)}`
    case 'server':
      return 'its server asked to wait until then'
    case 'publisher':
      return 'the feed itself asks for no poll before then'
    case 'failure':
      return failures > 1
        ? `the last ${failures} polls failed, and every failure makes the next poll wait longer`
        : 'the last poll failed, and is tried again then'
    case 'push':
      return 'its hub tells us of news at once; this poll only makes sure'
    case 'budget':
      return 'it was due before, but the budget has better uses for a poll until then'
    case 'asked':
      return 'somebody asked for this poll, and it waits for its turn at the host'
  }
}

function describeSize({ quirks }: Pick<Feed, 'quirks'>, { cost = 1 }: Terms): string {
  if (cost <= 1 || quirks?.pollBytes === undefined) return ''
  const times = formatAmount(Math.sqrt(cost))
  return `its answers weigh ${formatAmount(quirks.pollBytes / 1e6)} MB in the mean, so it is polled ${times} times less often than a small feed`
}

function describeExpectation(
  { perDay, between, pending, decided, hours, weekdays }: Expectation,
  { goalMs }: Terms,
): string {
  const rate = `about ${formatAmount(perDay)} entries a day are expected${formatRange(between)}${describePeaks(hours, weekdays)}`
  const by = `, ${formatAmount(pending)} of them by then`
  switch (decided) {
    case 'window':
      return `${rate}${by}, and more would not fit into the feed`
    case 'burst':
      return `${rate}${by}, and many came just now`
    case 'silence':
      return `${rate}${by}; it has been silent for longer than usual`
    case 'goal':
      return `${rate}${by}, and they should be here within ${formatDuration(goalMs ?? 0)}`
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
  const top = Math.max(...shares)
  return top * shares.length >= PEAK_FACTOR ? shares.indexOf(top) : undefined
}

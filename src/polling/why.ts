/** Why a feed is polled when it is, in numbers and in words: everybody who waits for news may ask. */
import { type DueBecause, type Feed, formatDuration, type ScheduledFeed } from '../model/index.ts'
import { amount } from './amount.ts'
import { type Expectation, followsPrice, type Reason, type Strategy, type Terms } from './strategy.ts'

export interface Why {
  by: DueBecause
  words: string
  /** What the strategy expects, where it can say so. */
  expectation?: Expectation
  /** What it went by: M, T and ToE, a mean gap, a rate. */
  figures?: Reason['figures']
}

/** `terms` as they were when the date was set; undefined while no poll has set one. */
export function whyDue({ schedule, feed }: ScheduledFeed, strategy: Strategy, terms: Terms): Why | undefined {
  const { because, polledAt, dueAt, memory } = schedule
  if (!because || polledAt === undefined || feed.state !== 'active') return undefined
  const learnt = schedule.succeededAt !== undefined && schedule.failures === 0
  const expectation = learnt ? strategy.expect?.(memory, polledAt, dueAt, terms) : undefined
  const reason = learnt ? strategy.reason?.(memory, polledAt, terms) : undefined
  const told = expectation ? inWords(expectation, terms) : reason?.words
  const bound = boundInWords(because.by, terms, schedule.failures)
  const large = followsPrice(strategy, memory, polledAt, terms) ? largeInWords(feed, terms) : ''
  return {
    by: because.by,
    words: [bound, told, large].filter(Boolean).join('; ') || `the strategy ${schedule.strategy} wishes so`,
    ...(expectation && { expectation }),
    ...(reason && { figures: reason.figures }),
  }
}

function boundInWords(by: DueBecause, { limits }: Terms, failures: number): string {
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

function largeInWords({ quirks }: Pick<Feed, 'quirks'>, { cost = 1 }: Terms): string {
  if (cost <= 1 || quirks?.pollBytes === undefined) return ''
  const times = amount(Math.sqrt(cost))
  return `its answers weigh ${amount(quirks.pollBytes / 1e6)} MB in the mean, so it is polled ${times} times less often than a small feed`
}

function inWords({ perDay, between, pending, decided, hours, weekdays }: Expectation, { goalMs }: Terms): string {
  const rate = `about ${amount(perDay)} entries a day are expected${range(between)}${habit(hours, weekdays)}`
  const by = `, ${amount(pending)} of them by then`
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

/** Where little was seen, the range is wide, and says so. */
function range(between: Expectation['between']): string {
  if (!between) return ''
  const [low, high] = between.map(amount)
  return low === high ? '' : ` (${low} to ${high})`
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** A profile is worth telling when it is twice as high somewhere as on average. */
const MARKED = 2

function habit(hours: number[] | undefined, weekdays: number[] | undefined): string {
  const hour = hours && peakOf(hours)
  const day = weekdays && peakOf(weekdays)
  const told = [
    ...(day !== undefined ? [`on ${DAYS[day]}s`] : []),
    ...(hour !== undefined ? [`around ${String(hour).padStart(2, '0')}:00 UTC`] : []),
  ]
  return told.length > 0 ? `, most ${told.join(' and ')}` : ''
}

function peakOf(shares: number[]): number | undefined {
  const top = Math.max(...shares)
  return top * shares.length >= MARKED ? shares.indexOf(top) : undefined
}

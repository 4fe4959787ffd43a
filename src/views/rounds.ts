/**
 * The history of M, T and ToE of a feed, computed from its poll log. Only the newest polls are read, however long the log is; a point
 * stands for several polls if there are more polls than points.
 */
import type { RoundsShape } from '../api/index.ts'
import type { Instant, ScheduledFeed } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { roundHistory, strategyError } from '../scheduling/index.ts'
import { isoDate } from './shapes/values.ts'

/** Half a year of most feeds, or two weeks of a feed that is polled in every second round. */
const MAX_POLLS = 2000
const DEFAULT_POINTS = 500

export async function roundsOfFeed(
  { feed, schedule }: ScheduledFeed,
  catalogue: Catalogue,
  { since, limit = DEFAULT_POINTS }: { since?: Instant | undefined; limit?: number | undefined } = {},
): Promise<RoundsShape> {
  const { strategy, memory } = schedule
  const noRounds = (words: string): RoundsShape => ({ strategy, hasRounds: false, words, every: 1, points: [] })
  const problem = strategyError(strategy)
  if (problem) return noRounds(problem.message)
  if (!roundHistory(strategy, memory, []))
    return noRounds(`the strategy ${strategy} has no rounds, and so no history of M, T and ToE`)
  const log = await catalogue.polls({ feedId: feed.id, limit: MAX_POLLS })
  // the strategy does not learn from failures, nor from older documents that were read to fill a gap
  const polls = log.reverse().flatMap(({ at, occasion, result }) => {
    if (result.kind === 'failed' || occasion === 'older') return []
    return [{ at, found: result.kind === 'read' && result.fresh > 0 }]
  })
  const { points, isExact, trainsUntil } = roundHistory(strategy, memory, polls)!
  const inRange = since === undefined ? points : points.filter(({ at }) => at >= since)
  const every = Math.max(1, Math.ceil(inRange.length / limit))
  const shown = inRange.filter((_, i) => (inRange.length - 1 - i) % every === 0)
  return {
    strategy,
    hasRounds: true,
    words: describePoints(inRange.length, isExact),
    isExact,
    ...(trainsUntil !== undefined && { trainsUntil: isoDate(trainsUntil) }),
    every,
    points: shown.map(({ at, ...point }) => ({ at: isoDate(at), ...point })),
  }
}

function describePoints(polls: number, isExact: boolean): string {
  if (polls === 0) return 'the log has no polls of this feed'
  if (isExact) return 'M, T and ToE after each poll, from the log'
  return 'M, T and ToE after each poll, estimated: the log does not lead to the current state of the strategy'
}

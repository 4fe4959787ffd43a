/**
 * How M, T and ToE of a feed came to be what they are, by its log of polls. However long the log is, only its newest lines are read; a
 * point stands for several polls where more were asked about than are shown.
 */
import type { RoundsShape } from '../api/index.ts'
import type { Instant, ScheduledFeed } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { roundHistory, troubleWithStrategy } from '../scheduling/index.ts'
import { isoDate } from './shapes/values.ts'

/** Of its last polls: half a year of most feeds, two weeks of one that is polled in every second round. */
const MOST_POLLS = 2000
const USUAL_POINTS = 500

export async function roundsOfFeed(
  { feed, schedule }: ScheduledFeed,
  catalogue: Catalogue,
  { since, limit = USUAL_POINTS }: { since?: Instant | undefined; limit?: number | undefined } = {},
): Promise<RoundsShape> {
  const { strategy, memory } = schedule
  const none = (words: string): RoundsShape => ({ strategy, hasRounds: false, words, every: 1, points: [] })
  const trouble = troubleWithStrategy(strategy)
  if (trouble) return none(trouble.message)
  if (!roundHistory(strategy, memory, []))
    return none(`the strategy ${strategy} does not go in rounds: it has no history of M, T and ToE`)
  const log = await catalogue.polls({ feedId: feed.id, limit: MOST_POLLS })
  // failures teach nothing, nor do older documents that were read to fill a gap
  const polls = log.reverse().flatMap(({ at, occasion, result }) => {
    if (result.kind === 'failed' || occasion === 'older') return []
    return [{ at, found: result.kind === 'read' && result.fresh > 0 }]
  })
  const { points, isExact, trainsUntil } = roundHistory(strategy, memory, polls)!
  const asked = since === undefined ? points : points.filter(({ at }) => at >= since)
  const every = Math.max(1, Math.ceil(asked.length / limit))
  const shown = asked.filter((_, i) => (asked.length - 1 - i) % every === 0)
  return {
    strategy,
    hasRounds: true,
    words: inWords(asked.length, isExact),
    isExact,
    ...(trainsUntil !== undefined && { trainsUntil: isoDate(trainsUntil) }),
    every,
    points: shown.map(({ at, ...point }) => ({ at: isoDate(at), ...point })),
  }
}

function inWords(polls: number, isExact: boolean): string {
  if (polls === 0) return 'none of its polls are in the log'
  if (isExact) return 'M, T and ToE after each poll, by the log'
  return 'M, T and ToE after each poll, estimated: the log does not lead to what the strategy remembers'
}

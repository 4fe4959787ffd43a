/**
 * Audits the requests to one root across all its feeds, which a single feed's log cannot show: the gap between any two requests,
 * and pauses that one tenant's server asked for.
 */
import { type Instant, MINUTE, type Millis } from '../model/index.ts'
import type { Judgement } from './audit-poll-log.ts'

export interface RootVisit {
  at: Instant
  feedId: number
  /** Until when a refusal asked us to pause, and on which server; absent if another server answered. */
  requestedPause?: { until: Instant; of: string }
  /** The tenant that was requested. */
  tenant: string
}

/** `visits` in any order; `gapMs`: the configured gap. */
export function auditRoot(visits: readonly RootVisit[], gapMs: Millis): Judgement[] {
  const log = [...visits].sort((a, b) => a.at - b.at)
  const gaps = log.slice(1).map(({ at }, i) => ({ at, ms: at - log[i]!.at }))
  return [judgePauses(log), judgeGaps(20, gaps, gapMs), judgeBursts(log, gapMs)]
}

function judgeGaps(rule: number, gaps: { at: Instant; ms: Millis }[], leastMs: Millis): Judgement {
  const shortest = gaps.reduce<(typeof gaps)[number] | undefined>(
    (worst, gap) => (worst === undefined || gap.ms < worst.ms ? gap : worst),
    undefined,
  )
  const passed = gaps.filter(({ ms }) => ms >= leastMs).length
  return { rule, passed, checked: gaps.length, ...(shortest && { worst: shortest }) }
}

/** For roots with several feeds: no minute contains more requests than the gap allows. */
function judgeBursts(log: RootVisit[], gapMs: Millis): Judgement {
  if (gapMs <= 0 || new Set(log.map(({ feedId }) => feedId)).size < 2) return { rule: 21, passed: 0, checked: 0 }
  const maxVisits = Math.max(1, Math.floor(MINUTE / gapMs)) + 1
  let [first, passed] = [0, 0]
  for (const [i, { at }] of log.entries()) {
    while (log[first]!.at <= at - MINUTE) first++
    if (i - first + 1 <= maxVisits) passed++
  }
  return { rule: 21, passed, checked: log.length }
}

/** After a request to pause, all feeds of that server wait. */
function judgePauses(log: RootVisit[]): Judgement {
  const until = new Map<string, { at: Instant; by: number }>()
  const judgement: Judgement = { rule: 15, passed: 0, checked: 0 }
  for (const { at, feedId, tenant, requestedPause } of log) {
    const pause = until.get(tenant)
    if (pause && pause.by !== feedId) {
      judgement.checked++
      const early = pause.at - at
      if (early <= 0) judgement.passed++
      else if (early > (judgement.worst?.ms ?? 0)) judgement.worst = { at, ms: early }
      until.delete(tenant)
    }
    if (requestedPause && requestedPause.until > (until.get(requestedPause.of)?.at ?? 0))
      until.set(requestedPause.of, { at: requestedPause.until, by: feedId })
  }
  return judgement
}

/**
 * How we behaved towards one root, by the polls of all its feeds together: what a single feed's log cannot show. A root has one
 * pause between two visits, whoever makes them; what one tenant's server asks for binds all feeds there.
 */
import { type Instant, MINUTE, type Millis } from '../model/index.ts'
import type { Judgement } from './audit-rules.ts'

export interface RootVisit {
  at: Instant
  feedId: number
  /** Until when a refusal asked us to stay away, and from whom: not where the answer came from somewhere else. */
  asked?: { until: Instant; of: string }
  /** Whose server it was. */
  tenant: string
}

/** `visits` in any order; `gapMs` is what we promise to leave between two. */
export function auditRoot(visits: readonly RootVisit[], gapMs: Millis): Judgement[] {
  const log = [...visits].sort((a, b) => a.at - b.at)
  const gaps = log.slice(1).map(({ at }, i) => ({ at, ms: at - log[i]!.at }))
  return [keepsAway(log), keptGaps(20, gaps, gapMs), comesInOrder(log, gapMs)]
}

function keptGaps(rule: number, gaps: { at: Instant; ms: Millis }[], leastMs: Millis): Judgement {
  const shortest = gaps.reduce<(typeof gaps)[number] | undefined>(
    (worst, gap) => (worst === undefined || gap.ms < worst.ms ? gap : worst),
    undefined,
  )
  const kept = gaps.filter(({ ms }) => ms >= leastMs).length
  return { rule, kept, of: gaps.length, ...(shortest && { worst: shortest }) }
}

/** Where a root has several feeds: no minute has more of them than its pauses leave room for. */
function comesInOrder(log: RootVisit[], gapMs: Millis): Judgement {
  if (gapMs <= 0 || new Set(log.map(({ feedId }) => feedId)).size < 2) return { rule: 21, kept: 0, of: 0 }
  const room = Math.max(1, Math.floor(MINUTE / gapMs)) + 1
  let [first, kept] = [0, 0]
  for (const [i, { at }] of log.entries()) {
    while (log[first]!.at <= at - MINUTE) first++
    if (i - first + 1 <= room) kept++
  }
  return { rule: 21, kept, of: log.length }
}

/** Who was told to stay away stays away, with all other feeds of that server. */
function keepsAway(log: RootVisit[]): Judgement {
  const until = new Map<string, { at: Instant; by: number }>()
  const judgement: Judgement = { rule: 15, kept: 0, of: 0 }
  for (const { at, feedId, tenant, asked } of log) {
    const rest = until.get(tenant)
    if (rest && rest.by !== feedId) {
      judgement.of++
      const early = rest.at - at
      if (early <= 0) judgement.kept++
      else if (early > (judgement.worst?.ms ?? 0)) judgement.worst = { at, ms: early }
      until.delete(tenant)
    }
    if (asked && asked.until > (until.get(asked.of)?.at ?? 0)) until.set(asked.of, { at: asked.until, by: feedId })
  }
  return judgement
}

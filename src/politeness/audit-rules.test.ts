import { describe, expect, it } from 'vitest'
import { DAY, type FeedId, HOUR, type Instant, MINUTE, type Poll, type PollResult, SECOND } from '../model/index.ts'
import { auditFeed, type Judgement, joinedAudits } from './index.ts'

const START = 1000 * DAY
const read = (fresh: number): PollResult => ({ kind: 'read', fresh, changed: 0, window: 10, gap: false })
const unchanged: PollResult = { kind: 'not-modified', by: 'server' }
const tooMany: PollResult = { kind: 'failed', failure: { kind: 'http', status: 429, retryAfterMs: HOUR } }

function poll(at: Instant, result: PollResult, more: Partial<Poll> = {}): Poll {
  const bytes = result === unchanged ? 0 : 10 * 1024
  return { feedId: 1 as FeedId, at: START + at, tookMs: 100, bytes, result, conditional: true, ...more }
}
const gaps = { minGapMs: 2 * MINUTE, handGapMs: MINUTE }
const judged = (polls: Poll[], rule?: Judgement['rule']) =>
  auditFeed(polls, gaps).find((judgement) => judgement.rule === rule)

describe('our own conduct', () => {
  it('rule 1: polls after the first are conditional, where they can be', () => {
    const log = [
      poll(0, { kind: 'failed', failure: { kind: 'timeout' } }, { conditional: false }),
      poll(HOUR, read(10), { conditional: false }),
      poll(2 * HOUR, unchanged),
      poll(3 * HOUR, read(1), { conditional: false }),
      poll(4 * HOUR, unchanged, { conditional: false, unconditionalFor: 'audit' }),
      poll(5 * HOUR, unchanged),
    ]
    expect(judged(log, 1)).toEqual({ rule: 1, kept: 2, of: 3 })
    expect(judged(log.slice(0, 3), 1)).toEqual({ rule: 1, kept: 1, of: 1 })
  })

  it('rule 12: gaps are never shorter than promised, in whatever order the log comes', () => {
    const log = [poll(HOUR, unchanged), poll(0, read(1)), poll(HOUR + 30 * SECOND, unchanged)]
    const worst = { at: START + HOUR + 30 * SECOND, ms: 30 * SECOND }
    expect(judged(log, 12)).toEqual({ rule: 12, kept: 1, of: 2, worst })
  })

  it('rule 12: what a person asked for, and older documents, are no polls that came too soon', () => {
    const log = [
      poll(0, read(20)),
      poll(2 * SECOND, read(20), { occasion: 'older' }),
      poll(4 * SECOND, read(3), { occasion: 'older' }),
      poll(3 * MINUTE, unchanged),
      poll(4 * MINUTE, unchanged, { occasion: 'hand' }),
      poll(4 * MINUTE + SECOND, unchanged, { occasion: 'seek' }),
      poll(5 * MINUTE, unchanged),
    ]
    expect(judged(log, 12)).toMatchObject({ kept: 1, of: 2, worst: { at: START + 5 * MINUTE, ms: 59 * SECOND } })
  })

  it('rule 8: what a person asks for has a gap of its own', () => {
    const byHand = { occasion: 'hand' } as const
    const log = [poll(0, read(1)), poll(MINUTE, unchanged, byHand), poll(MINUTE + SECOND, unchanged, byHand)]
    expect(judged(log, 8)).toMatchObject({ kept: 1, of: 2, worst: { ms: SECOND } })
    expect(judged(log, 12)).toMatchObject({ of: 0 })
  })

  it('rule 11: an answer is not asked for again while it is fresh, unless a person does', () => {
    const log = [
      poll(0, read(1), { restUntil: START + HOUR }),
      poll(HOUR, unchanged, { restUntil: START + 3 * HOUR }),
      poll(2 * HOUR, unchanged, { restUntil: START + 9 * HOUR }),
      poll(3 * HOUR, unchanged, { occasion: 'hand' }),
    ]
    expect(judged(log, 11)).toEqual({ rule: 11, kept: 1, of: 2, worst: { at: START + 2 * HOUR, ms: HOUR } })
    expect(judged(log, 15)).toMatchObject({ kept: 0, of: 0 })
  })

  it('rule 15: Retry-After is kept, as the log or the failure states it, by people and after older documents, too', () => {
    const log = [poll(0, tooMany), poll(HOUR, tooMany, { restUntil: START + 9 * HOUR }), poll(8 * HOUR, unchanged)]
    expect(judged(log, 15)).toEqual({ rule: 15, kept: 1, of: 2, worst: { at: START + 8 * HOUR, ms: HOUR } })
    const byHand = [poll(0, tooMany, { occasion: 'older' }), poll(MINUTE, unchanged, { occasion: 'hand' })]
    expect(judged(byHand, 15)).toMatchObject({ kept: 0, of: 1 })
  })

  it('rule 2: validators that are sent back save the bodies of what did not change', () => {
    const log = [
      poll(0, read(1)),
      poll(HOUR, unchanged),
      poll(2 * HOUR, { kind: 'not-modified', by: 'hash' }, { bytes: 20 * 1024 }),
      poll(3 * HOUR, unchanged),
      poll(4 * HOUR, { kind: 'not-modified', by: 'titles' }),
    ]
    expect(judged(log, 2)).toEqual({ rule: 2, kept: 2, of: 4, bytes: 30 * 1024 })
  })

  it('tells how many polls found something', () => {
    const log = [poll(0, read(1)), poll(HOUR, read(0)), poll(2 * HOUR, unchanged), poll(3 * HOUR, tooMany)]
    expect(judged(log)).toEqual({ kept: 1, of: 3 })
  })

  it('has nothing against an empty log', () => {
    const judgements = auditFeed([], gaps)
    expect(judgements).toHaveLength(7)
    for (const { kept, of, worst } of judgements) expect([kept, of, worst]).toEqual([0, 0, undefined])
  })

  it('joins feeds rule by rule, with the worst of all', () => {
    const one = auditFeed([poll(0, read(1)), poll(HOUR, unchanged)], gaps)
    const other = auditFeed(
      [poll(0, tooMany), poll(MINUTE, unchanged), poll(2 * HOUR, tooMany), poll(2.5 * HOUR, unchanged)],
      gaps,
    )
    const all = joinedAudits([one, other, auditFeed([], gaps)])
    const ofRule = (rule?: number) => all.find((judgement) => judgement.rule === rule)
    expect(ofRule(12)).toMatchObject({ kept: 3, of: 4, worst: { ms: MINUTE } })
    expect(ofRule(15)).toMatchObject({ kept: 0, of: 2, worst: { ms: 59 * MINUTE } })
    expect(ofRule(2)).toMatchObject({ kept: 3, of: 3, bytes: 10 * 1024 })
    expect(ofRule()).toMatchObject({ kept: 1, of: 4 })
  })
})

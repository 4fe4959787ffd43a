import { describe, expect, it } from 'vitest'
import { DAY, type FeedId, HOUR, type Instant, MINUTE, type PollResult, SECOND } from '../model/index.ts'
import { type ConductPoll, conductOf } from './index.ts'

const START = 1000 * DAY
const read = (fresh: number): PollResult => ({ kind: 'read', fresh, changed: 0, window: 10, gap: false })
const unchanged: PollResult = { kind: 'not-modified', by: 'server' }
const tooMany: PollResult = { kind: 'failed', failure: { kind: 'http', status: 429, retryAfterMs: HOUR } }

function poll(at: Instant, result: PollResult, more: Partial<ConductPoll> = {}): ConductPoll {
  const bytes = result === unchanged ? 0 : 10 * 1024
  return { feedId: 1 as FeedId, at: START + at, tookMs: 100, bytes, result, conditional: true, ...more }
}
const judged = (polls: ConductPoll[], rule?: number) =>
  conductOf(polls, { minGapMs: 2 * MINUTE }).find((judgement) => judgement.rule === rule)

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
    expect(judged(log, 1)).toMatchObject({ kept: 2, of: 3, worst: { at: START + 3 * HOUR } })
    expect(judged(log.slice(0, 3), 1)).toEqual({
      rule: 1,
      kept: 1,
      of: 1,
      words: '1 of 1 polls that could be conditional were',
    })
  })
  it('rule 12: gaps are never shorter than promised, in whatever order the log comes', () => {
    const log = [poll(HOUR, unchanged), poll(0, read(1)), poll(HOUR + 30 * SECOND, unchanged)]
    expect(judged(log, 12)).toEqual({
      rule: 12,
      kept: 1,
      of: 2,
      worst: { at: START + HOUR + 30 * SECOND, ms: 30 * SECOND },
      words: 'the shortest gap between two polls was 30 s, the shortest allowed is 120 s',
    })
  })
  it('rule 11: an answer is not asked for again while it is fresh', () => {
    const log = [
      poll(0, read(1), { restUntil: START + HOUR }),
      poll(HOUR, unchanged, { restUntil: START + 3 * HOUR }),
      poll(2 * HOUR, unchanged),
    ]
    expect(judged(log, 11)).toMatchObject({ kept: 1, of: 2, worst: { at: START + 2 * HOUR, ms: HOUR } })
    expect(judged(log, 15)).toMatchObject({ kept: 0, of: 0 })
  })
  it('rule 15: Retry-After is kept, as the log or the failure states it', () => {
    const log = [poll(0, tooMany), poll(HOUR, tooMany, { restUntil: START + 9 * HOUR }), poll(8 * HOUR, unchanged)]
    const judgement = judged(log, 15)
    expect(judgement).toMatchObject({ kept: 1, of: 2, worst: { at: START + 8 * HOUR, ms: HOUR } })
    expect(judgement?.words).toBe('a rest asked for by a refusal was kept 1 of 2 times; once we came 3600 s too early')
  })
  it('rule 2: validators that are sent back save the bodies of what did not change', () => {
    const log = [
      poll(0, read(1)),
      poll(HOUR, unchanged),
      poll(2 * HOUR, { kind: 'not-modified', by: 'hash' }, { bytes: 20 * 1024 }),
      poll(3 * HOUR, unchanged),
    ]
    expect(judged(log, 2)).toEqual({
      rule: 2,
      kept: 2,
      of: 3,
      words: '2 of 3 unchanged answers came as 304, which saved about 30 KiB',
    })
  })
  it('tells how many polls found nothing', () => {
    const log = [poll(0, read(1)), poll(HOUR, read(0)), poll(2 * HOUR, unchanged), poll(3 * HOUR, tooMany)]
    expect(judged(log)).toEqual({ kept: 1, of: 3, words: '2 of 3 polls that were answered found nothing' })
  })
  it('has nothing against an empty log', () => {
    const judgements = conductOf([], { minGapMs: MINUTE })
    expect(judgements).toHaveLength(6)
    for (const { kept, of, worst } of judgements) expect([kept, of, worst]).toEqual([0, 0, undefined])
  })
})

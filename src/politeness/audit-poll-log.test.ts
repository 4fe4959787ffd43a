import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import {
  DAY,
  type Feed,
  type FeedId,
  HOUR,
  type HubSubscription,
  type Instant,
  MINUTE,
  type Poll,
  type PollResult,
  type Schedule,
  SECOND,
} from '../model/index.ts'
import { AUDITED_BY_ARCHIVE, auditFeed, type Judgement, mergeAudits, UNAUDITED_RULES } from './index.ts'

const START = 1000 * DAY
const read = (fresh: number): PollResult => ({ kind: 'read', fresh, changed: 0, window: 10, gap: false })
const unchanged: PollResult = { kind: 'not-modified', by: 'server' }
const tooMany: PollResult = { kind: 'failed', failure: { kind: 'http', status: 429, retryAfterMs: HOUR } }

function poll(at: Instant, result: PollResult, changes: Partial<Poll> = {}): Poll {
  const bytes = result === unchanged ? 0 : 10 * 1024
  return { feedId: 1 as FeedId, at: START + at, tookMs: 100, bytes, result, conditional: true, ...changes }
}
const gaps = { minGapMs: 2 * MINUTE, manualGapMs: MINUTE }
const audit = (polls: Poll[], rule?: Judgement['rule']) =>
  auditFeed(polls, gaps).find((judgement) => judgement.rule === rule)

describe('auditing the poll log', () => {
  it('rule 1: polls after the first are conditional where possible', () => {
    const log = [
      poll(0, { kind: 'failed', failure: { kind: 'timeout' } }, { conditional: false }),
      poll(HOUR, read(10), { conditional: false }),
      poll(2 * HOUR, unchanged),
      poll(3 * HOUR, read(1), { conditional: false }),
      poll(4 * HOUR, unchanged, { conditional: false, unconditionalFor: 'audit' }),
      poll(5 * HOUR, unchanged),
    ]
    expect(audit(log, 1)).toEqual({ rule: 1, passed: 2, checked: 3 })
    expect(audit(log.slice(0, 3), 1)).toEqual({ rule: 1, passed: 1, checked: 1 })
  })

  it('rule 12: gaps are never shorter than configured, whatever the order of the log', () => {
    const log = [poll(HOUR, unchanged), poll(0, read(1)), poll(HOUR + 30 * SECOND, unchanged)]
    const worst = { at: START + HOUR + 30 * SECOND, ms: 30 * SECOND }
    expect(audit(log, 12)).toEqual({ rule: 12, passed: 1, checked: 2, worst })
  })

  it('rule 12: polls requested by users and older documents do not count', () => {
    const log = [
      poll(0, read(20)),
      poll(2 * SECOND, read(20), { occasion: 'older' }),
      poll(4 * SECOND, read(3), { occasion: 'older' }),
      poll(3 * MINUTE, unchanged),
      poll(4 * MINUTE, unchanged, { occasion: 'manual' }),
      poll(4 * MINUTE + SECOND, unchanged, { occasion: 'moved-feed' }),
      poll(5 * MINUTE, unchanged),
    ]
    expect(audit(log, 12)).toMatchObject({ passed: 1, checked: 2, worst: { at: START + 5 * MINUTE, ms: 59 * SECOND } })
  })

  it('rule 8: polls requested by users have a gap of their own', () => {
    const byHand = { occasion: 'manual' } as const
    const log = [poll(0, read(1)), poll(MINUTE, unchanged, byHand), poll(MINUTE + SECOND, unchanged, byHand)]
    expect(audit(log, 8)).toMatchObject({ passed: 1, checked: 2, worst: { ms: SECOND } })
    expect(audit(log, 12)).toMatchObject({ checked: 0 })
  })

  it('rules 11 and 13: a response, including 304, is not requested again while fresh, except by a user', () => {
    const log = [
      poll(0, read(1), { waitUntil: START + HOUR }),
      poll(HOUR, read(1), { waitUntil: START + 3 * HOUR }),
      poll(2 * HOUR, read(1), { waitUntil: START + 9 * HOUR }),
      poll(3 * HOUR, unchanged, { occasion: 'manual' }),
    ]
    expect(audit(log, 11)).toEqual({ rule: 11, passed: 1, checked: 2, worst: { at: START + 2 * HOUR, ms: HOUR } })
    const quiet = log.map((logged) => ({ ...logged, result: unchanged }))
    expect(audit(quiet, 11)).toMatchObject({ checked: 0 })
    expect(audit(quiet, 13)).toEqual({ rule: 13, passed: 1, checked: 2, worst: { at: START + 2 * HOUR, ms: HOUR } })
    expect(audit(log, 15)).toMatchObject({ passed: 0, checked: 0 })
  })

  it('rule 15: Retry-After is respected, also by users and after older documents', () => {
    const log = [poll(0, tooMany), poll(HOUR, tooMany, { waitUntil: START + 9 * HOUR }), poll(8 * HOUR, unchanged)]
    expect(audit(log, 15)).toEqual({ rule: 15, passed: 1, checked: 2, worst: { at: START + 8 * HOUR, ms: HOUR } })
    const byHand = [poll(0, tooMany, { occasion: 'older' }), poll(MINUTE, unchanged, { occasion: 'manual' })]
    expect(audit(byHand, 15)).toMatchObject({ passed: 0, checked: 1 })
  })

  it('rule 16: Retry-After of other statuses is respected; rule 17: however long, up to a week', () => {
    const busy: PollResult = { kind: 'failed', failure: { kind: 'http', status: 503, retryAfterMs: 3 * DAY } }
    expect(audit([poll(0, busy), poll(3 * DAY, unchanged)], 16)).toMatchObject({ passed: 1, checked: 1 })
    expect(audit([poll(0, busy), poll(2 * DAY, unchanged)], 16)).toMatchObject({ passed: 0, checked: 1 })
    expect(audit([poll(0, busy), poll(2 * DAY, unchanged)], 17)).toMatchObject({
      passed: 0,
      checked: 1,
      worst: { ms: DAY },
    })
    expect(audit([poll(0, tooMany), poll(2 * HOUR, unchanged)], 17)).toMatchObject({ checked: 0 })
  })

  it('rules 14, 18 and 19: no immediate retry after a failure, except by a user', () => {
    const refused: PollResult = { kind: 'failed', failure: { kind: 'http', status: 403 } }
    const hurried: PollResult = { kind: 'failed', failure: { kind: 'http', status: 429 } }
    const log = [poll(0, refused), poll(9 * MINUTE, hurried), poll(30 * MINUTE, unchanged)]
    expect(audit(log, 14)).toMatchObject({ passed: 1, checked: 2, worst: { ms: 9 * MINUTE } })
    expect(audit(log, 18)).toMatchObject({ passed: 1, checked: 1 })
    expect(audit(log, 19)).toMatchObject({ passed: 1, checked: 2 })
    const byHand = [poll(0, refused), poll(2 * MINUTE, unchanged, { occasion: 'manual' })]
    expect(audit(byHand, 14)).toMatchObject({ checked: 0 })
  })

  it('rule 2: validators save the bodies of unchanged documents', () => {
    const log = [
      poll(0, read(1)),
      poll(HOUR, unchanged),
      poll(2 * HOUR, { kind: 'not-modified', by: 'hash' }, { bytes: 20 * 1024 }),
      poll(3 * HOUR, unchanged),
      poll(4 * HOUR, { kind: 'not-modified', by: 'titles' }),
    ]
    expect(audit(log, 2)).toEqual({ rule: 2, passed: 2, checked: 4, bytes: 30 * 1024 })
  })

  it('counts the polls that found something', () => {
    const log = [poll(0, read(1)), poll(HOUR, read(0)), poll(2 * HOUR, unchanged), poll(3 * HOUR, tooMany)]
    expect(audit(log)).toEqual({ passed: 1, checked: 3 })
  })

  it('accepts an empty log', () => {
    const judgements = auditFeed([], gaps)
    for (const { passed, checked, worst } of judgements) expect([passed, checked, worst]).toEqual([0, 0, undefined])
  })

  it('merges feeds by rule, keeping the worst case', () => {
    const first = auditFeed([poll(0, read(1)), poll(HOUR, unchanged)], gaps)
    const second = auditFeed(
      [poll(0, tooMany), poll(MINUTE, unchanged), poll(2 * HOUR, tooMany), poll(2.5 * HOUR, unchanged)],
      gaps,
    )
    const merged = mergeAudits([first, second, auditFeed([], gaps)])
    const ofRule = (rule?: number) => merged.find((judgement) => judgement.rule === rule)
    expect(ofRule(12)).toMatchObject({ passed: 3, checked: 4, worst: { ms: MINUTE } })
    expect(ofRule(15)).toMatchObject({ passed: 0, checked: 2, worst: { ms: 59 * MINUTE } })
    expect(ofRule(2)).toMatchObject({ passed: 3, checked: 3, bytes: 10 * 1024 })
    expect(ofRule()).toMatchObject({ passed: 1, checked: 4 })
  })
})

describe('auditing the state of a feed', () => {
  const feed = (changes: Partial<Feed> = {}): Feed => ({
    id: 1 as FeedId,
    url: address('https://a.example/feed'),
    root: 'a.example',
    title: '',
    validators: {},
    subscribers: 1,
    state: 'active',
    addedAt: START,
    ...changes,
  })
  const schedule = (changes: Partial<Schedule> = {}): Schedule => ({
    strategy: 'fixed:1h',
    memory: new Uint8Array(),
    dueAt: START + 2 * HOUR,
    polledAt: START + HOUR,
    succeededAt: START + HOUR,
    because: { by: 'strategy', price: 0 },
    failures: 0,
    ...changes,
  })
  const standing = (
    rule: number,
    scheduledFeed: { feed: Feed; schedule: Schedule },
    polls: Poll[] = [],
    push?: HubSubscription,
  ) =>
    auditFeed(polls, gaps, { scheduled: scheduledFeed, now: START + 30 * DAY, ...(push && { push }) }).find(
      (judgement) => judgement.rule === rule,
    )

  it('rule 9: a feed is added with one GET', () => {
    const first = poll(0, read(9), { conditional: false, unconditionalFor: 'no-validators' })
    const scheduledFeed = { feed: feed(), schedule: schedule() }
    expect(standing(9, scheduledFeed, [first, poll(HOUR, unchanged)])).toEqual({ rule: 9, passed: 1, checked: 1 })
    expect(standing(9, scheduledFeed, [first, poll(SECOND, unchanged)])).toMatchObject({ passed: 0, checked: 1 })
    expect(standing(9, scheduledFeed, [poll(HOUR, unchanged)])).toMatchObject({ checked: 0 })
  })

  it('rules 28 and 29: only 410, repeated, ends a feed', () => {
    const gone: PollResult = { kind: 'failed', failure: { kind: 'http', status: 410 } }
    const down: PollResult = { kind: 'failed', failure: { kind: 'http', status: 404 } }
    const ended = { feed: feed({ state: 'gone' }), schedule: schedule({ trouble: { kind: 'http', status: 410 } }) }
    expect(
      standing(
        28,
        ended,
        [0, 1, 2].map((i) => poll(i * 7 * DAY, gone)),
      ),
    ).toMatchObject({ passed: 1, checked: 1 })
    expect(
      standing(
        28,
        ended,
        [0, 1, 2].map((i) => poll(i * 7 * DAY, down)),
      ),
    ).toMatchObject({ passed: 0, checked: 1 })
    const failing = schedule({ trouble: { kind: 'http', status: 404 } })
    expect(standing(29, { feed: feed(), schedule: failing })).toMatchObject({ passed: 1, checked: 1 })
    expect(standing(29, { feed: feed({ state: 'gone' }), schedule: failing })).toMatchObject({ passed: 0, checked: 1 })
  })

  it('rule 36: the next poll respects the hints of the document', () => {
    const withHints = feed({ hints: { ttlMs: 3 * HOUR } })
    expect(standing(36, { feed: withHints, schedule: schedule() })).toMatchObject({ passed: 0, checked: 1 })
    expect(standing(36, { feed: withHints, schedule: schedule({ dueAt: START + 4 * HOUR }) })).toMatchObject({
      passed: 1,
    })
    expect(standing(36, { feed: feed(), schedule: schedule() })).toMatchObject({ checked: 0 })
  })

  it('rule 38: a feed that always answers 304 is polled unconditionally now and then', () => {
    const trust = { trust: 'honest' as const, quiet: 400, doubts: 0, repeats: 0 }
    const late = schedule({ trust: { ...trust, bodyAt: START } })
    expect(standing(38, { feed: feed(), schedule: late })).toMatchObject({ passed: 0, checked: 1 })
    const soon = schedule({ trust: { ...trust, bodyAt: START + 25 * DAY } })
    expect(standing(38, { feed: feed(), schedule: soon })).toMatchObject({ passed: 1, checked: 1 })
  })

  it('rules 46, 50 and 51: secrets are long, leases are renewed in time, polls are rare while pushes work', () => {
    const push: HubSubscription = {
      token: 'a'.repeat(43),
      feedId: 1 as FeedId,
      hub: address('https://hub.example/'),
      topic: address('https://a.example/feed'),
      secret: 'b'.repeat(43),
      state: 'active',
      dueAt: START + 35 * DAY,
      leaseUntil: START + 40 * DAY,
      failures: 0,
      pushes: 3,
      provenAt: START,
    }
    const byPush = schedule({ because: { by: 'push', price: 0 }, dueAt: START + 7 * HOUR })
    const scheduledFeed = { feed: feed(), schedule: byPush }
    for (const rule of [46, 50, 51])
      expect(standing(rule, scheduledFeed, [], push)).toEqual({ rule, passed: 1, checked: 1 })
    expect(standing(46, scheduledFeed, [], { ...push, secret: 'short' })).toMatchObject({ passed: 0 })
    expect(standing(50, scheduledFeed, [], { ...push, dueAt: START + 50 * DAY })).toMatchObject({ passed: 0 })
    expect(standing(51, scheduledFeed, [], { ...push, missedAt: START + DAY })).toMatchObject({ passed: 0, checked: 1 })
  })
})

it('covers each of the 52 rules: judged by the log or an archive, or listed with a reason', () => {
  const byLog = [1, 2, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 27, 28, 29, 36, 38, 46, 50, 51]
  const covered = [...byLog, ...AUDITED_BY_ARCHIVE, ...UNAUDITED_RULES.keys()].sort((a, b) => a - b)
  expect(covered).toEqual(Array.from({ length: 52 }, (_, i) => i + 1))
})

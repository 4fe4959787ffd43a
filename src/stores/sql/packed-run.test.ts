/** Runs of polls on their way into bytes and back. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY, type FeedId, HOUR, type Poll, type Sameness } from '../../model/index.ts'
import { isRunPoll, LONGEST_RUN_MS, MOST_POLLS_IN_RUN } from '../../ports/index.ts'
import { START } from '../../ports/store-samples.contract.ts'
import { notLaterThan, pollsInRun, withPoll } from './packed-run.ts'
import { logged, pollsIn } from './poll-rows.ts'

const FEED = 7 as FeedId

const oneOf = <T>(...values: T[]) => fc.constantFrom<T>(...values)
const how: fc.Arbitrary<Omit<Poll, 'feedId' | 'at'>> = fc
  .record({
    tookMs: fc.oneof(fc.nat(500), fc.integer({ min: 0, max: 2 ** 50 })),
    bytes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 50 })),
    asked: oneOf<Pick<Poll, 'conditional' | 'unconditionalFor'>>(
      { conditional: true },
      { conditional: false },
      { conditional: false, unconditionalFor: 'audit' },
      { conditional: false, unconditionalFor: 'lies' },
    ),
    why: oneOf<Pick<Poll, 'occasion' | 'restUntil'>>({}, { occasion: 'seek' }, { restUntil: START }, { restUntil: -5 }),
    by: oneOf<Sameness>('server', 'hash', 'titles'),
  })
  .map(({ tookMs, bytes, asked, why, by }) => ({
    tookMs,
    bytes,
    ...asked,
    ...why,
    result: { kind: 'not-modified', by },
  }))

const run: fc.Arbitrary<Poll[]> = fc
  .array(fc.tuple(how, fc.nat(DAY)), { minLength: 1, maxLength: MOST_POLLS_IN_RUN })
  .map((all) => {
    let at = START
    return all.map(([poll, pause]): Poll => {
      at += pause
      return { feedId: FEED, at, ...poll }
    })
  })

function packed(polls: readonly Poll[]): Uint8Array {
  return polls.reduce<Uint8Array | null>((bytes, poll) => withPoll(bytes, poll), null)!
}

function unchanged(at: number): Poll {
  return { feedId: FEED, at, tookMs: 90, bytes: 0, conditional: true, result: { kind: 'not-modified', by: 'server' } }
}

it('gives back all that was packed', () => {
  fc.assert(
    fc.property(run, (polls) => {
      const bytes = packed(polls)
      expect(pollsInRun(FEED, bytes)).toStrictEqual(polls)
      expect(pollsIn(bytes)).toBe(polls.length)
    }),
  )
})

it('takes some seven bytes a poll, where polls are hours apart and take less than eight seconds', () => {
  const polls = Array.from({ length: MOST_POLLS_IN_RUN }, (_, i) =>
    unchanged(START + i * 3 * HOUR + ((i * 7919) % HOUR)),
  )
  expect(packed(polls).length / polls.length).toBeLessThan(7.5)
})

it('reads what is left of a run that is damaged', () => {
  const bytes = packed([unchanged(START), unchanged(START + HOUR)])
  for (let length = 0; length <= bytes.length; length++)
    expect(pollsInRun(FEED, bytes.subarray(0, length)).length).toBeLessThanOrEqual(2)
})

it('dates what is too late, and nothing else', () => {
  const bytes = packed([unchanged(START), unchanged(START + 5), unchanged(START + 9)])
  expect(pollsInRun(FEED, notLaterThan(bytes, START + 4)).map(({ at }) => at - START)).toEqual([0, 4, 4])
})

it('ends a run when it is full, when it is long, and with any other poll', () => {
  const filled = packed(Array.from({ length: MOST_POLLS_IN_RUN - 1 }, (_, i) => unchanged(START + i)))
  expect(logged(filled.subarray(), unchanged(START + 99))).toMatchObject({
    lines: [{ 11: MOST_POLLS_IN_RUN }],
    run: null,
  })
  const begun = packed([unchanged(START), unchanged(START + 1)])
  const inReach = logged(begun, unchanged(START + LONGEST_RUN_MS))
  expect([inReach.lines.length, pollsIn(inReach.run)]).toEqual([0, 3])
  const late = logged(begun, unchanged(START + LONGEST_RUN_MS + 1))
  expect([late.lines.length, pollsIn(late.run)]).toEqual([1, 1])
  const failed = logged(begun, { ...unchanged(START + 2), result: { kind: 'failed', failure: { kind: 'timeout' } } })
  expect([failed.lines.length, failed.run]).toEqual([2, null])
})

it('has numbers only that are whole', () => {
  expect(isRunPoll(unchanged(START))).toBe(true)
  for (const odd of [{ tookMs: 0.5 }, { at: START + 0.1 }, { bytes: -1 }, { bytes: 2 ** 51 }, { restUntil: 1.5 }])
    expect(isRunPoll({ ...unchanged(START), ...odd })).toBe(false)
})

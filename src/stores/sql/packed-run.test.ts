import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY, type FeedId, HOUR, type Poll, type Sameness } from '../../model/index.ts'
import { isRunPoll, MAX_POLLS_IN_RUN, MAX_RUN_MS } from '../../ports/index.ts'
import { START } from '../../ports/store-samples.contract.ts'
import { appendPoll, clampRunDates, pollsInRun } from './packed-run.ts'
import { appendToLog, countRunPolls } from './poll-rows.ts'

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
    why: oneOf<Pick<Poll, 'occasion' | 'waitUntil'>>(
      {},
      { occasion: 'moved-feed' },
      { waitUntil: START },
      { waitUntil: -5 },
    ),
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
  .array(fc.tuple(how, fc.nat(DAY)), { minLength: 1, maxLength: MAX_POLLS_IN_RUN })
  .map((all) => {
    let at = START
    return all.map(([poll, pause]): Poll => {
      at += pause
      return { feedId: FEED, at, ...poll }
    })
  })

function packed(polls: readonly Poll[]): Uint8Array {
  return polls.reduce<Uint8Array | null>((bytes, poll) => appendPoll(bytes, poll), null)!
}

function unchanged(at: number): Poll {
  return { feedId: FEED, at, tookMs: 90, bytes: 0, conditional: true, result: { kind: 'not-modified', by: 'server' } }
}

it('unpacks exactly what was packed', () => {
  fc.assert(
    fc.property(run, (polls) => {
      const bytes = packed(polls)
      expect(pollsInRun(FEED, bytes)).toStrictEqual(polls)
      expect(countRunPolls(bytes)).toBe(polls.length)
    }),
  )
})

it('needs about seven bytes per poll if polls are hours apart and take less than eight seconds', () => {
  const polls = Array.from({ length: MAX_POLLS_IN_RUN }, (_, i) =>
    unchanged(START + i * 3 * HOUR + ((i * 7919) % HOUR)),
  )
  expect(packed(polls).length / polls.length).toBeLessThan(7.5)
})

it('reads the rest of a damaged run', () => {
  const bytes = packed([unchanged(START), unchanged(START + HOUR)])
  for (let length = 0; length <= bytes.length; length++)
    expect(pollsInRun(FEED, bytes.subarray(0, length)).length).toBeLessThanOrEqual(2)
})

it('clamps dates that are too late and no others', () => {
  const bytes = packed([unchanged(START), unchanged(START + 5), unchanged(START + 9)])
  expect(pollsInRun(FEED, clampRunDates(bytes, START + 4)).map(({ at }) => at - START)).toEqual([0, 4, 4])
})

it('ends a run when it is full, when it spans too long, and at any other poll', () => {
  const filled = packed(Array.from({ length: MAX_POLLS_IN_RUN - 1 }, (_, i) => unchanged(START + i)))
  expect(appendToLog(filled.subarray(), unchanged(START + 99))).toMatchObject({
    lines: [{ 11: MAX_POLLS_IN_RUN }],
    run: null,
  })
  const packedRun = packed([unchanged(START), unchanged(START + 1)])
  const inReach = appendToLog(packedRun, unchanged(START + MAX_RUN_MS))
  expect([inReach.lines.length, countRunPolls(inReach.run)]).toEqual([0, 3])
  const late = appendToLog(packedRun, unchanged(START + MAX_RUN_MS + 1))
  expect([late.lines.length, countRunPolls(late.run)]).toEqual([1, 1])
  const failed = appendToLog(packedRun, {
    ...unchanged(START + 2),
    result: { kind: 'failed', failure: { kind: 'timeout' } },
  })
  expect([failed.lines.length, failed.run]).toEqual([2, null])
})

it('rejects polls with fractional, negative or too large numbers', () => {
  expect(isRunPoll(unchanged(START))).toBe(true)
  for (const odd of [{ tookMs: 0.5 }, { at: START + 0.1 }, { bytes: -1 }, { bytes: 2 ** 51 }, { waitUntil: 1.5 }])
    expect(isRunPoll({ ...unchanged(START), ...odd })).toBe(false)
})

/** Store contract: runs of unchanged polls, which are returned one by one. */
import { expect } from 'vitest'
import { DAY, type FeedId, HOUR, MINUTE, type Poll } from '../model/index.ts'
import { MAX_POLLS_IN_RUN, MAX_RUN_MS, type PollQuery, type Store } from './index.ts'
import { expectCounts } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, failedRecord, record, START, unchangedRecord } from './store-samples.contract.ts'

const AHEAD = START + 5 * DAY
const FURTHEST = START + 40 * DAY

export function pollRunPromises(promised: Promised): void {
  promised(
    'returns unchanged polls one by one as they were recorded, at once and to every caller',
    async (store, other) => {
      const feedId = await addFeed(store, 'f')
      const polls = variedPolls(feedId)
      for (const [i, poll] of polls.entries()) {
        expect(await store.recordPolls([unchangedRecord(feedId, poll.at, poll)])).toEqual(['recorded'])
        expect(await other.polls({ feedId, limit: 99 })).toStrictEqual(polls.slice(0, i + 1).toReversed())
      }
      expect(await other.polls({ limit: 99 })).toStrictEqual(polls.toReversed())
      expect(await all(other.everyPoll({}))).toStrictEqual(polls)
      expect(await all(other.everyPoll({ feedId }))).toStrictEqual(polls)
      await expectCounts(other, { feeds: { active: 1 }, polls: polls.length })
    },
  )

  promised('returns any part of a run', async (store) => {
    const feedId = await addFeed(store, 'f')
    await poll(store, feedId, 9)
    const ats = async (query: Omit<PollQuery, 'limit'>, limit = 9) => datesOf(await store.polls({ ...query, limit }))
    for (const of of [{ feedId }, {}]) {
      expect(await ats({ ...of, since: START + 6 })).toEqual([8, 7, 6])
      expect(await ats({ ...of }, 2)).toEqual([8, 7])
      expect(await ats({ ...of, after: { at: START + 3, skip: 0 } }, 2)).toEqual([3, 2])
      expect(await ats({ ...of, after: { at: START + 3, skip: 1 }, since: START + 1 })).toEqual([2, 1])
      expect(datesOf(await all(store.everyPoll({ ...of, since: START + 7 })))).toEqual([7, 8])
    }
    await store.recordPolls([failedRecord(feedId, START + 9)]) // this ends the run
    for (const of of [{ feedId }, {}]) {
      expect(await ats({ ...of, after: { at: START + 3, skip: 0 } }, 2)).toEqual([3, 2])
      expect(await ats({ ...of, since: START + 7 })).toEqual([9, 8, 7])
      expect(datesOf(await all(store.everyPoll({ ...of, since: START + 7 })))).toEqual([7, 8, 9])
    }
  })

  promised('keeps the order of polls when new entries or a failure end a run', async (store) => {
    const feedId = await addFeed(store, 'f')
    const records = [
      unchangedRecord(feedId, START),
      unchangedRecord(feedId, START + 1),
      record(feedId, START + 2, { fresh: [draft('x')] }),
      failedRecord(feedId, START + 3),
      unchangedRecord(feedId, START + 4),
      failedRecord(feedId, START + 5),
      unchangedRecord(feedId, START + 6),
      unchangedRecord(feedId, START + 7),
    ]
    await store.recordPolls(records.slice(0, 5)) // several of one feed at once
    for (const one of records.slice(5)) await store.recordPolls([one])
    const polls = records.map(({ poll }) => poll)
    expect(await all(store.everyPoll({}))).toStrictEqual(polls)
    expect(await store.polls({ feedId, limit: 99 })).toStrictEqual(polls.toReversed())
    expect(await store.polls({ limit: 99 })).toStrictEqual(polls.toReversed())
    await expectCounts(store, { feeds: { active: 1 }, entries: 1, polls: 8 })
  })

  promised('stores more unchanged polls than fit into one run, with any gap between them', async (store) => {
    const feedId = await addFeed(store, 'f')
    const dates = Array.from({ length: 3 * MAX_POLLS_IN_RUN + 1 }, (_, i) => i * MINUTE)
    const last = dates.at(-1)!
    const pauses = [MAX_RUN_MS, MAX_RUN_MS + 1, 900 * DAY].map((ms) => last + ms)
    const expected = [...dates, ...pauses]
    for (const at of expected) await store.recordPolls([unchangedRecord(feedId, START + at)])
    expect(datesOf(await all(store.everyPoll({ feedId })))).toEqual(expected)
    expect(datesOf(await store.polls({ limit: 999 }))).toEqual(expected.toReversed())
    const page = { after: { at: START + 70 * MINUTE, skip: 0 }, limit: 10 }
    expect(datesOf(await store.polls(page))).toEqual(dates.slice(61, 71).toReversed())
    expect(datesOf(await store.polls({ feedId, ...page }))).toEqual(dates.slice(61, 71).toReversed())
  })

  promised('pages through polls of the same instant, each once, in open and closed runs', async (store) => {
    const feeds: FeedId[] = []
    for (const name of ['a', 'b', 'c', 'd']) feeds.push(await addFeed(store, name))
    for (let i = 0; i < 6; i++)
      await store.recordPolls(feeds.map((id) => unchangedRecord(id, START + (i >> 1) * 5 + i)))
    await store.recordPolls(feeds.slice(0, 2).map((id) => record(id, START + 99)))
    const whole = await store.polls({ limit: 99 })
    expect(whole).toHaveLength(26)
    expect(whole.slice(0, 6).map(({ feedId }) => feeds.indexOf(feedId))).toEqual([1, 0, 3, 2, 1, 0])
    const pages: Poll[] = []
    for (let after: PollQuery['after']; ; ) {
      const page = await store.polls({ limit: 3, ...(after && { after }) })
      if (page.length === 0) break
      pages.push(...page)
      const { at } = page.at(-1)!
      after = { at, skip: pages.filter((one) => one.at === at).length }
    }
    expect(pages).toStrictEqual(whole)
  })

  promised('does not write an unchanged poll that is repeated or not newer than the last', async (store) => {
    const feedId = await addFeed(store, 'f')
    await poll(store, feedId, 3)
    const answers = await store.recordPolls([2, 1, 0, 3, 3].map((ms) => unchangedRecord(feedId, START + ms)))
    expect(answers).toEqual(['void', 'void', 'void', 'recorded', 'void'])
    const taken = (await store.leaseDue(START + DAY, 1, START + 2 * DAY)).feeds[0]!
    const { lease, revision } = taken
    await store.changeFeed(feedId, { title: 'other' })
    const late = { ...unchangedRecord(feedId, START + DAY), lease, revision }
    expect(await store.recordPolls([late])).toEqual(['stale'])
    expect(datesOf(await all(store.everyPoll({})))).toEqual([0, 1, 2, 3])
  })

  promised('deletes a run once its newest poll is old, and lists its polls before', async (store) => {
    const [ended, open] = [await addFeed(store, 'ended'), await addFeed(store, 'open')]
    await poll(store, ended, 5)
    await poll(store, open, 4)
    await store.recordPolls([record(ended, START + 9)])
    const before = START + 3
    expect([await store.forget('polls', before, 9), await all(store.pollsToForget(before))]).toEqual([0, []])
    await expectCounts(store, { feeds: { active: 2 }, polls: 10 })
    expect(datesOf(await all(store.pollsToForget(START + 4)))).toEqual([0, 1, 2, 3])
    expect(await store.forget('polls', START + 4, 9)).toBe(1)
    expect(await all(store.everyPoll({ feedId: open }))).toEqual([])
    await expectCounts(store, { feeds: { active: 2 }, polls: 6 })
    expect(await store.forget('polls', START + 9, 9)).toBe(1)
    expect(datesOf(await all(store.everyPoll({})))).toEqual([9])
    await store.recordPolls([unchangedRecord(open, START + 10), unchangedRecord(open, START + 11)])
    expect(datesOf(await store.polls({ feedId: open, limit: 9 }))).toEqual([11, 10])
    await expectCounts(store, { feeds: { active: 2 }, polls: 3 })
  })

  promised('deletes at most `limit` lines, including open runs', async (store) => {
    for (const name of ['a', 'b', 'c']) await poll(store, await addFeed(store, name), 2)
    const dropped: number[] = []
    for (let i = 0; i < 4; i++) dropped.push(await store.forget('polls', START + DAY, 1))
    expect(dropped).toEqual([1, 1, 1, 0])
    await expectCounts(store, { feeds: { active: 3 }, polls: 0 })
  })

  promised('corrects dates of polls from a clock that was ahead, in open and closed runs', async (store) => {
    const feeds = [await addFeed(store, 'open'), await addFeed(store, 'ended')]
    for (const id of feeds) {
      await poll(store, id, 2)
      for (let i = 0; i < 3; i++) await store.recordPolls([unchangedRecord(id, AHEAD + i)])
    }
    await store.recordPolls([failedRecord(feeds[1]!, AHEAD + 5)])
    const now = START + HOUR
    expect(await store.recordPolls([unchangedRecord(feeds[0]!, now)])).toEqual(['void'])
    expect(await store.repairDates(now, FURTHEST)).toBeGreaterThan(0)
    const mended = HOUR - 1
    expect(datesOf(await store.polls({ feedId: feeds[0]!, limit: 9 }))).toEqual([mended, mended, mended, 1, 0])
    const ended = await all(store.everyPoll({ feedId: feeds[1]! }))
    expect(datesOf(ended)).toEqual([0, 1, mended, mended, mended, mended])
    expect(ended.at(-1)?.result.kind).toBe('failed')
    expect(await store.recordPolls(feeds.map((id) => unchangedRecord(id, now)))).toEqual(['recorded', 'recorded'])
    expect((await store.polls({ limit: 99 })).length).toBe(13)
    expect(await store.repairDates(now, FURTHEST)).toBe(0)
  })

  promised('repairs an open run when only its feed has polls from a clock that was ahead', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([unchangedRecord(feedId, AHEAD)])
    expect(await store.repairDates(START, FURTHEST)).toBeGreaterThan(0)
    expect(datesOf(await store.polls({ feedId, limit: 9 }))).toEqual([-1])
    expect(await store.recordPolls([unchangedRecord(feedId, START)])).toEqual(['recorded'])
  })

  promised('removes runs with their feed', async (store) => {
    const [gone, stays] = [await addFeed(store, 'gone'), await addFeed(store, 'stays')]
    for (const id of [gone, stays]) await poll(store, id, MAX_POLLS_IN_RUN + 6)
    expect(await store.removeFeed(gone)).toBe(true)
    for (let swept = 1; swept > 0; ) swept = await store.sweepRemoved(9)
    expect(new Set((await store.polls({ limit: 999 })).map(({ feedId }) => feedId))).toEqual(new Set([stays]))
    await expectCounts(store, { feeds: { active: 1 }, polls: MAX_POLLS_IN_RUN + 6 })
  })

  promised('counts unchanged polls by hour', async (store) => {
    const [ended, open] = [await addFeed(store, 'ended'), await addFeed(store, 'open')]
    const from = Math.ceil(START / HOUR) * HOUR
    for (const id of [ended, open])
      for (let i = 0; i < 4; i++)
        await store.recordPolls([unchangedRecord(id, from + i * 40 * MINUTE, { tookMs: 10, bytes: 100 + i })])
    await store.recordPolls([failedRecord(ended, from + 5 * HOUR)])
    const { polls, series } = await store.statistics(from + HOUR)
    expect(polls).toEqual({ count: 5, failed: 1, tookMs: 49, bytes: 2 * (102 + 103) })
    const hours = series.filter((hour) => hour.polls > 0)
    expect(hours.map((hour) => [hour.polls, hour.failed, hour.bytes])).toEqual([
      [2, 0, 204],
      [2, 0, 206],
      [1, 1, 0],
    ])
  })
}

/** This many unchanged polls, a millisecond apart. */
async function poll(store: Store, feedId: FeedId, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await store.recordPolls([unchangedRecord(feedId, START + i)])
}

function datesOf(polls: readonly Poll[]): number[] {
  return polls.map(({ at }) => at - START)
}

/** Unchanged polls of every kind. */
function variedPolls(feedId: FeedId): Poll[] {
  const server = { kind: 'not-modified', by: 'server' } as const
  const how: Omit<Poll, 'feedId' | 'at'>[] = [
    { tookMs: 0, bytes: 0, conditional: true, result: server },
    { tookMs: 127, bytes: 0, conditional: true, result: server },
    { tookMs: 90_000, bytes: 3e9, conditional: false, result: { kind: 'not-modified', by: 'hash' } },
    {
      tookMs: 5,
      bytes: 12,
      conditional: false,
      unconditionalFor: 'audit',
      result: { kind: 'not-modified', by: 'titles' },
    },
    { tookMs: 5, bytes: 12, conditional: false, unconditionalFor: 'lies', occasion: 'manual', result: server },
    { tookMs: 5, bytes: 12, conditional: true, occasion: 'moved-feed', waitUntil: START + 9 * DAY, result: server },
    { tookMs: 6, bytes: 12, conditional: true, occasion: 'moved-feed', waitUntil: START - 9 * DAY, result: server },
    { tookMs: 7, bytes: 0, conditional: false, unconditionalFor: 'no-validators', occasion: 'older', result: server },
  ]
  return how.map((poll, i) => ({ feedId, at: START + i * i * DAY, ...poll }))
}

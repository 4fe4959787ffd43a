/** Store contract: statistics of polls, runs and discovery. */
import { expect } from 'vitest'
import { type Failure, type FeedId, HOUR } from '../model/index.ts'
import { joined, placed } from './group-samples.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, failedRecord, newFeed, record, START } from './store-samples.contract.ts'

export function statisticsPromises(promised: Promised): void {
  promised('counts entries and copies of given feeds by hour', async (store) => {
    const [f, g, h] = [await addFeed(store, 'f'), await addFeed(store, 'g'), await addFeed(store, 'h')]
    const noon = Date.UTC(2026, 2, 1, 12)
    const publishedAfter = (name: string, hours: number) => draft(name, { publishedAt: noon + hours * HOUR + 7 })
    await store.recordPolls([
      record(f, noon + 9 * HOUR, {
        fresh: [publishedAfter('a', 0), publishedAfter('b', 0), publishedAfter('c', 3), publishedAfter('old', -2)],
      }),
      record(g, noon + 9 * HOUR, {
        fresh: [publishedAfter('d', 3), draft('day', { publishedAt: noon, dateOnly: true })],
      }),
      record(h, noon + 9 * HOUR, { fresh: [publishedAfter('e', 0)] }),
    ])
    const ids = new Map((await all(store.everyEntry({}))).map(({ id, key }) => [key, id]))
    const [c, d] = [ids.get('c')!, ids.get('d')!]
    const alone = [...ids.values()].filter((id) => id !== d).map((id) => placed(id))
    await store.recordGroups([...alone, placed(d, { copy: joined(c) })], [], START)
    expect(await store.entriesByHour([f], noon)).toEqual([
      { at: noon, entries: 2, copies: 0 },
      { at: noon + 3 * HOUR, entries: 1, copies: 0 },
    ])
    expect(await store.entriesByHour([f, g], noon + HOUR)).toEqual([{ at: noon + 3 * HOUR, entries: 2, copies: 1 }])
    // an entry with a date and no time counts in the hour in which it was seen, as in statistics
    expect(await store.entriesByHour([g], 0)).toEqual([
      { at: noon + 3 * HOUR, entries: 1, copies: 1 },
      { at: noon + 9 * HOUR, entries: 1, copies: 0 },
    ])
    expect(await store.entriesByHour([], 0)).toEqual([])
    expect(await store.entriesByHour([999_999 as FeedId], 0)).toEqual([])
    await store.removeFeed(f)
    expect(await store.entriesByHour([f, h], 0)).toEqual([{ at: noon, entries: 1, copies: 0 }])
  })

  promised('counts any number of entries by hour, even at one instant', async (store) => {
    const [f, g] = [await addFeed(store, 'f'), await addFeed(store, 'g')]
    const many = (name: string, count: number, at: (i: number) => number) =>
      Array.from({ length: count }, (_, i) => draft(`${name}${i}`, { publishedAt: at(i) }))
    const hour = Math.ceil(START / HOUR) * HOUR
    const at = hour + 9 * HOUR
    await store.recordPolls([record(f, at, { fresh: many('same', 2100, () => hour + 7) })])
    await store.recordPolls([record(f, at + 1, { fresh: many('each', 2500, (i) => hour + HOUR + i) })])
    await store.recordPolls([record(g, at, { fresh: many('other', 700, () => hour + 7) })])
    expect(await store.entriesByHour([f], hour)).toEqual([
      { at: hour, entries: 2100, copies: 0 },
      { at: hour + HOUR, entries: 2500, copies: 0 },
    ])
  })

  promised('counts runs, and feeds by discovery and fragments', async (store) => {
    const ids = await store.addFeeds([
      newFeed('a', { foundBy: 'probe', fragments: 'shared' }),
      newFeed('b', { foundBy: 'probe' }),
      newFeed('c', { foundBy: 'link', fragments: 'apart' }),
      newFeed('d'),
    ])
    expect(ids).toHaveLength(4)
    await store.recordRun({ beganAt: START - 1, lastAt: START })
    await store.recordRun({ beganAt: START, lastAt: START })
    await store.recordRun({ beganAt: START, lastAt: START + 7 })
    await store.recordRun({ beganAt: START + 9, lastAt: START + 10 })
    const { runs, discovery } = await store.statistics(START)
    expect(runs).toEqual({ count: 2, ms: 8 })
    expect(discovery).toEqual({ foundBy: { probe: 2, link: 1 }, fragments: { shared: 1, apart: 1 } })
  })

  promised('counts failures by kind and status, most frequent first', async (store) => {
    const f = await addFeed(store, 'f')
    const failures: Failure[] = [
      { kind: 'http', status: 503, retryAfterMs: 7 },
      { kind: 'timeout', detail: 'after 30 s' },
      { kind: 'http', status: 404 },
      { kind: 'http', status: 503 },
      { kind: 'timeout' },
      { kind: 'http', status: 503 },
    ]
    for (const [i, failure] of failures.entries()) {
      const { poll, ...rest } = failedRecord(f, START + i)
      await store.recordPolls([{ ...rest, poll: { ...poll, result: { kind: 'failed', failure } } }])
    }
    await store.recordPolls([record(f, START + 99)])
    expect((await store.statistics(START)).failures).toEqual([
      { kind: 'http', status: 503, count: 3 },
      { kind: 'timeout', count: 2 },
      { kind: 'http', status: 404, count: 1 },
    ])
    expect((await store.statistics(START + 5)).failures).toEqual([{ kind: 'http', status: 503, count: 1 }])
    expect((await store.statistics(START)).failureTexts).toEqual([{ kind: 'timeout', detail: 'after 30 s', count: 1 }])
  })
}

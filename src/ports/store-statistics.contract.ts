/** What the store promises about what it counts of polls, runs and the ways in which feeds were found. */
import { expect } from 'vitest'
import type { Failure } from '../model/index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, failedRecord, newFeed, record, START } from './store-samples.contract.ts'

export function statisticsPromises(promised: Promised): void {
  promised('counts runs, and feeds by how they were found and by their fragments', async (store) => {
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

  promised('counts what polls failed for, by kind and status, the most frequent first', async (store) => {
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

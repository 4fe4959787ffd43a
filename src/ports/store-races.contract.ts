/** Store contract: concurrent use through two handles. */
import { expect } from 'vitest'
import { expectCounts, feedById } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, draft, newFeed, newSource, record, START } from './store-samples.contract.ts'

const HOUR = 3_600_000
const NAMES = Array.from({ length: 20 }, (_, i) => `f${i}`)

export function racePromises(promised: Promised): void {
  promised('leases a due item to one of two concurrent callers', async (store, other) => {
    await store.addFeeds(NAMES.map((name) => newFeed(name)))
    await store.addSources(NAMES.map((name) => newSource(name)))
    const all = await Promise.all([store, other, store, other].map((handle) => handle.leaseDue(START, 7, START + HOUR)))
    const ids = all.flatMap(({ feeds }) => feeds.map(({ feed }) => feed.id))
    const sources = all.flatMap(({ sources }) => sources.map(({ id }) => id))
    expect([ids.length, new Set(ids).size, sources.length, new Set(sources).size]).toEqual([20, 20, 20, 20])
    const leases = all.flatMap(({ feeds, sources }) => [...feeds, ...sources].map(({ lease }) => lease))
    expect(new Set(leases).size).toBe(40)
  })

  promised('records a poll once if two callers write it', async (store, other) => {
    const feedId = await addFeed(store, 'f')
    const [leased] = (await store.leaseDue(START, 1, START + HOUR)).feeds
    const given = {
      ...record(feedId, START, { fresh: [draft('x')] }),
      lease: leased!.lease,
      revision: leased!.revision,
    }
    const answers = await Promise.all([store, other, store].map((handle) => handle.recordPolls([given])))
    expect(answers.flat().sort()).toEqual(['recorded', 'void', 'void'])
    await expectCounts(store, { feeds: { active: 1 }, entries: 1, polls: 1 })
  })

  promised('never reverts user changes while a poll is being recorded', async (store, other) => {
    for (let round = 0; round < 10; round++) {
      const feedId = await addFeed(store, `race${round}`)
      const { revision, schedule } = await feedById(store, feedId)
      const given = { ...record(feedId, START + 1, { schedule: { ...schedule, dueAt: START + HOUR } }), revision }
      const [[answer]] = await Promise.all([
        store.recordPolls([given]),
        other.changeFeed(feedId, { title: 'by hand' }, { strategy: 'fixed:3h' }),
      ])
      const after = await feedById(store, feedId)
      expect(after).toMatchObject({ feed: { title: 'by hand' }, schedule: { strategy: 'fixed:3h' } })
      expect(after.schedule.dueAt).toBe(answer === 'recorded' ? START + HOUR : schedule.dueAt)
    }
  })

  promised('keeps changes queued while another caller processes the queue', async (store, other) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const met = new Set<string>()
    const write = async (feedId: typeof a) => {
      for (let n = 0; n < 20; n++)
        await store.recordPolls([record(feedId, START + n, { fresh: [draft(`${feedId} ${n}`)] })])
    }
    const deal = async () => {
      for (let n = 0; n < 20; n++) {
        const { positions, changes } = await other.unindexed(3)
        for (const { entry } of changes) met.add(entry!.key)
        await other.markIndexed(positions)
      }
    }
    await Promise.all([write(a), deal(), write(b)])
    for (const { entry } of (await store.unindexed(99)).changes) met.add(entry!.key)
    expect(met.size).toBe(40)
  })

  promised('adds an address once for two concurrent callers', async (store, other) => {
    const both = await Promise.all([store.addFeeds([newFeed('f')]), other.addFeeds([newFeed('f')])])
    expect(
      both
        .flat()
        .map(({ added }) => added)
        .sort(),
    ).toEqual([false, true])
    expect(new Set(both.flat().map(({ id }) => id)).size).toBe(1)
    await expectCounts(store, { feeds: { active: 1 }, unpolled: 1 })
  })
}

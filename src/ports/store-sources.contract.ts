/** Store contract: sources. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { FeedId, SourceId } from '../model/index.ts'
import { expectCounts, feedById } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import {
  addFeed,
  addSource,
  draft,
  newFeed,
  newSchedule,
  newSource,
  POISON,
  record,
  START,
} from './store-samples.contract.ts'

const NOBODY = 0 as FeedId
const GONE = 999_999 as SourceId

export function sourcePromises(promised: Promised): void {
  promised('returns sourcesById in the order of the ids, with undefined for missing ones', async (store) => {
    const [a, b] = await store.addSources([newSource('a'), newSource('b')])
    await store.removeSource(a!.id)
    const found = await store.sourcesById([b!.id, a!.id])
    expect(found.map((source) => source?.root)).toEqual(['b.example', undefined])
  })

  promised('adds each source once, and makes one that is still looking due again', async (store) => {
    const first = newSource('a', {
      folder: 'News',
      credentials: { user: 'ada', password: 's3cret' },
      about: { name: 'ay', category: 'politics' },
    })
    const answers = await store.addSources([first, newSource('b'), newSource('a', { dueAt: START + 7, folder: 'X' })])
    expect(answers.map((answer) => answer.added)).toEqual([true, true, false])
    expect(answers[2]?.id).toBe(answers[0]?.id)
    expect(await store.sources({ limit: 9 })).toStrictEqual([
      { ...first, id: answers[0]!.id, state: 'looking', failures: 0, dueAt: START + 7 },
      { ...newSource('b'), id: answers[1]!.id, state: 'looking', failures: 0 },
    ])
    await expectCounts(store, { looking: 2 })
  })

  promised('updates the credentials of a source that is still looking', async (store) => {
    const id = await addSource(store, 'a')
    const login = { credentials: { user: 'ada', password: 's3cret' } }
    await store.addSources([newSource('a', login)])
    expect((await store.sourcesById([id]))[0]).toMatchObject(login)
    await store.addSources([newSource('a')])
    expect((await store.sourcesById([id]))[0]).toMatchObject(login)
  })

  promised('adds all sources of an array or none', async (store) => {
    await expect(store.addSources([newSource('a'), POISON])).rejects.toThrow()
    expect(await store.sources({ limit: 9 })).toEqual([])
    await expectCounts(store, {})
  })

  promised('adds the feed a source led to, with its first poll', async (store) => {
    const id = await addSource(store, 'site')
    await store.recordSourceFailed(id, { kind: 'timeout' }, START)
    await store.leaseDue(START, 9, START + 1000)
    const answer = await store.recordSourceFound(
      id,
      newFeed('site'),
      record(NOBODY, START + 5, {
        schedule: newSchedule({ dueAt: START + 60, polledAt: START + 5, memory: Uint8Array.of(1) }),
        feed: { title: 'as it calls itself' },
        fresh: [draft('x'), draft('y')],
      }),
    )
    expect(answer?.added).toBe(true)
    const feedId = answer!.feedId
    const { feed, schedule } = await feedById(store, feedId)
    expect([feed.title, schedule.memory, schedule.polledAt]).toEqual([
      'as it calls itself',
      Uint8Array.of(1),
      START + 5,
    ])
    expect((await store.polls({ limit: 9 })).map((poll) => poll.feedId)).toEqual([feedId])
    expect((await store.entries({ limit: 9 })).map((entry) => [entry.feedId, entry.key])).toEqual([
      [feedId, 'y'],
      [feedId, 'x'],
    ])
    expect(await store.sources({ limit: 9 })).toStrictEqual([
      { ...newSource('site'), id, state: 'found', feedId, failures: 0 },
    ])
    await expectCounts(store, { feeds: { active: 1 }, entries: 2, polls: 1 })
    expect((await store.nextDue()).pollAt).toBe(START + 60)
  })

  promised('records the first poll even if the new schedule already includes it', async (store) => {
    const id = await addSource(store, 'site')
    const polled = newFeed('site', {}, { polledAt: START + 5 })
    await store.recordSourceFound(id, polled, record(NOBODY, START + 5, { fresh: [draft('x')] }), [
      address('https://site.example/comments'),
    ])
    await expectCounts(store, { feeds: { active: 1 }, entries: 1, polls: 1 })
  })

  promised('links a source to an existing feed without changing the feed', async (store) => {
    const feedId = await addFeed(store, 'site')
    const before = await feedById(store, feedId)
    const id = await addSource(store, 'site')
    const found = await store.recordSourceFound(id, newFeed('site'), record(NOBODY, START + 5, { fresh: [draft('x')] }))
    expect(found).toEqual({ feedId, added: false })
    expect(await feedById(store, feedId)).toStrictEqual(before)
    await expectCounts(store, { feeds: { active: 1 }, unpolled: 1 })
    expect((await store.sources({ limit: 9 }))[0]).toMatchObject({ state: 'found', feedId })
  })

  promised('ignores repeated and late outcomes', async (store) => {
    const id = await addSource(store, 'site')
    const found = await store.recordSourceFound(id, newFeed('site'), record(NOBODY, START))
    const feedId = found!.feedId
    expect(await store.recordSourceFound(id, newFeed('site'), record(NOBODY, START))).toEqual({ feedId, added: false })
    expect(await store.recordSourceFound(id, newFeed('b'), record(NOBODY, START + 1))).toEqual({ feedId, added: false })
    await store.recordSourceFailed(id, { kind: 'timeout' }, START)
    expect((await store.addSources([newSource('site', { dueAt: START + 9 })]))[0]).toEqual({ id, added: false })
    expect(await store.sources({ limit: 9 })).toStrictEqual([
      { ...newSource('site'), id, state: 'found', feedId, failures: 0 },
    ])
    await expectCounts(store, { feeds: { active: 1 }, polls: 1 })
  })

  promised('writes nothing for a source that is gone', async (store) => {
    expect(await store.recordSourceFound(GONE, newFeed('site'), record(NOBODY, START))).toBeUndefined()
    await store.recordSourceFailed(GONE, { kind: 'timeout' }, START)
    expect(await store.removeSource(GONE)).toBe(false)
    await expectCounts(store, {})
  })

  promised('writes everything a source led to, or nothing', async (store) => {
    const id = await addSource(store, 'site')
    await expect(
      store.recordSourceFound(id, newFeed('site'), record(NOBODY, START, { fresh: POISON })),
    ).rejects.toThrow()
    await expectCounts(store, { looking: 1 })
    expect((await store.sources({ limit: 9 }))[0]?.state).toBe('looking')
  })

  promised('counts the failures of a source, and stores the last one', async (store) => {
    const id = await addSource(store, 'site')
    await store.recordSourceFailed(id, { kind: 'timeout' }, START + 10)
    await store.recordSourceFailed(id, { kind: 'http', status: 404 }, START + 20)
    expect(await store.sources({ limit: 9 })).toStrictEqual([
      {
        ...newSource('site', { dueAt: START + 20 }),
        id,
        state: 'looking',
        failures: 2,
        trouble: { kind: 'http', status: 404 },
      },
    ])
    await expectCounts(store, { looking: 1 })
  })

  promised('lists sources in the order of addition, and by state', async (store) => {
    const ids = (await store.addSources([newSource('a'), newSource('b'), newSource('c')])).map(({ id }) => id)
    await store.recordSourceFound(ids[1]!, newFeed('b'), record(NOBODY, START))
    const urls = async (query: Parameters<typeof store.sources>[0]) =>
      (await store.sources(query)).map((source) => source.root[0])
    expect(await urls({ limit: 9 })).toEqual(['a', 'b', 'c'])
    expect(await urls({ limit: 2 })).toEqual(['a', 'b'])
    expect(await urls({ state: 'looking', limit: 9 })).toEqual(['a', 'c'])
    expect(await urls({ state: 'found', limit: 9 })).toEqual(['b'])
    expect(await urls({ after: ids[0]!, limit: 1 })).toEqual(['b'])
    expect(await urls({ state: 'looking', after: ids[0]!, limit: 9 })).toEqual(['c'])
  })

  promised('removes a source and keeps its feed', async (store) => {
    const looking = await addSource(store, 'a')
    const found = await addSource(store, 'b')
    await store.recordSourceFound(found, newFeed('b'), record(NOBODY, START))
    expect(await store.removeSource(looking)).toBe(true)
    expect(await store.removeSource(found)).toBe(true)
    expect(await store.removeSource(found)).toBe(false)
    await expectCounts(store, { feeds: { active: 1 }, polls: 1 })
    expect((await store.addSources([newSource('a')]))[0]?.added).toBe(true)
  })
}

import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, HOUR } from '../model/index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, addSource, draft, record, START } from './store-samples.contract.ts'

const AHEAD = START + 400 * DAY
const FURTHEST = START + 40 * DAY

export function datePromises(promised: Promised): void {
  promised('polls again what was polled by a clock that was ahead', async (store) => {
    const id = await addFeed(store, 'a')
    await store.recordPolls([
      record(id, AHEAD, {
        fresh: [draft('seen ahead', { publishedAt: START - HOUR })],
        schedule: { ...record(id, AHEAD).schedule, memory: Uint8Array.of(7) },
      }),
    ])
    expect(await store.recordPolls([record(id, START + 5)])).toEqual(['void'])

    expect(await store.repairDates(START, FURTHEST)).toBeGreaterThan(0)
    const [scheduled] = await store.feedsById([id])
    expect(scheduled?.schedule).toMatchObject({ dueAt: START, polledAt: START - 1, succeededAt: START - 1 })
    expect(scheduled?.schedule.memory).toHaveLength(0)
    expect((await store.leaseDue(START, 9, START + HOUR)).feeds.map(({ feed }) => feed.id)).toEqual([id])
    expect(await store.recordPolls([record(id, START + 5)])).toEqual(['recorded'])
    const [entry] = await store.entries({ limit: 1 })
    expect(entry).toMatchObject({ key: 'seen ahead', seenAt: START, publishedAt: START - HOUR })
    expect((await store.polls({ limit: 9 })).map(({ at }) => at)).toEqual([START + 5, START - 1])
  })

  promised('corrects due dates that are impossibly late', async (store) => {
    const far = await addFeed(store, 'far', {}, { dueAt: AHEAD })
    const usual = await addFeed(store, 'usual', {}, { dueAt: START + 31 * DAY })
    const source = await addSource(store, 'site', { dueAt: AHEAD })
    const push = {
      feedId: far,
      hub: address('https://hub.example/'),
      topic: address('https://a.example/'),
      secret: 's',
      failures: 0,
      pushes: 1,
    }
    await store.recordHubSubscriptions([{ ...push, token: 'far', state: 'active', dueAt: AHEAD, leaseUntil: AHEAD }])

    expect(await store.repairDates(START, FURTHEST)).toBe(3)
    const dates = (await store.feedsById([far, usual])).map((scheduled) => scheduled?.schedule.dueAt)
    expect(dates).toEqual([START, START + 31 * DAY])
    expect((await store.sourcesById([source]))[0]?.dueAt).toBe(START)
    const mended = await store.hubSubscriptionByToken('far')
    expect(mended?.dueAt).toBe(START)
    expect(mended?.leaseUntil).toBeUndefined()
  })

  promised('ends leases of a clock that was ahead', async (store) => {
    const id = await addFeed(store, 'a')
    await store.leaseDue(AHEAD, 9, AHEAD + HOUR)
    await addFeed(store, 'b', {}, { dueAt: AHEAD })
    expect((await store.leaseDue(START, 9, START + HOUR)).feeds).toEqual([])
    await store.repairDates(START, FURTHEST)
    expect((await store.leaseDue(START, 9, START + HOUR)).feeds.map(({ feed }) => feed.id)).toContain(id)
  })

  promised('leaves valid dates unchanged', async (store) => {
    const id = await addFeed(store, 'a')
    await store.recordPolls([record(id, START, { fresh: [draft('x')] })])
    const before = await store.feedsById([id])
    expect(await store.repairDates(START, FURTHEST)).toBe(0)
    expect(await store.feedsById([id])).toStrictEqual(before)
  })
}

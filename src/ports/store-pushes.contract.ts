/** What the store promises about subscriptions at hubs, and about entries that hubs bring. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { type Bucket, type FeedId, NO_PUSH_QUALITY, type Push } from '../model/index.ts'
import { expectCounts, feedById } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, record, START } from './store-samples.contract.ts'

const push = (token: string, feedId: FeedId, more: Partial<Push> = {}): Push => ({
  token,
  feedId,
  hub: address('https://hub.example/'),
  topic: address('https://a.example/feed.xml'),
  secret: `secret of ${token}`,
  state: 'waiting',
  dueAt: START,
  failures: 0,
  pushes: 0,
  ...more,
})

export function pushPromises(promised: Promised): void {
  promised('keeps pushes as they are, and finds them by token and by feed', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const whole: Required<Omit<Push, 'revision'>> = {
      ...push('t1', a),
      bucket: 7 as Bucket,
      named: address('https://a.example/feed.xml'),
      state: 'active',
      askedAt: START + 1,
      leaseUntil: START + 2,
      failures: 3,
      trouble: { kind: 'hub-silent' },
      pushes: 4,
      pushedAt: START + 5,
      provenAt: START + 6,
      missedAt: START + 7,
      quality: { ...NO_PUSH_QUALITY, fresh: 8, missed: 9 },
    }
    const added = { revision: 0 }
    expect(await store.recordPushes([whole, push('t2', b)])).toEqual([true, true])
    expect(await store.pushByToken('t1')).toStrictEqual({ ...whole, ...added })
    expect(await store.pushByToken('t3')).toBeUndefined()
    const [ofB, ofNobody, ofA] = await store.pushesOf([b, 99 as FeedId, a])
    expect([ofB, ofNobody, ofA]).toStrictEqual([{ ...push('t2', b), ...added }, undefined, { ...whole, ...added }])
    expect(await store.recordPushes([{ ...push('t1', a), ...added }])).toEqual([true])
    expect(await store.pushByToken('t1')).toStrictEqual({ ...push('t1', a), revision: 1 })
    const nobody = { token: 'nobody', revision: 0 }
    expect(await store.dropPushes([{ token: 't1', revision: 1 }, nobody])).toEqual([true, false])
    expect(await store.pushByToken('t1')).toBeUndefined()
  })

  promised(
    'changes or drops a push only under the revision that was read, whoever writes first',
    async (store, other) => {
      const feedId = await addFeed(store, 'a')
      await store.recordPushes([push('t1', feedId)])
      const read = (await store.pushByToken('t1'))!
      const writers = [store, other, store, other].map((one, i) => one.recordPushes([{ ...read, failures: i + 1 }]))
      const answers = (await Promise.all(writers)).flat()
      expect(answers.filter(Boolean)).toHaveLength(1)
      const written = { ...read, failures: answers.indexOf(true) + 1, revision: 1 }
      expect(await other.pushByToken('t1')).toStrictEqual(written)
      expect(await store.dropPushes([read])).toEqual([false])
      expect(await store.recordPushes([push('t1', feedId), push('t2', feedId)])).toEqual([false, true]) // the first is no new one
      expect(await store.recordPushes([{ ...push('t3', feedId), revision: 0 }])).toEqual([false])
      expect(await store.pushByToken('t1')).toStrictEqual(written)
      await store.recordPushes([{ ...written, state: 'active' }])
      await store.removeFeed(feedId)
      expect(await store.recordPushes([{ ...written, revision: 2 }])).toEqual([false]) // it is ending since
      expect(await store.dropPushes([{ token: 't1', revision: 3 }])).toEqual([true])
    },
  )

  promised('lists every push of a feed, and none that is ending', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await store.recordPushes([push('t2', b), push('t1', a), push('t3', a, { state: 'ending' })])
    const tokens = (await all(store.everyPush())).map(({ token }) => token)
    expect(tokens.sort()).toEqual(['t1', 't2'])
  })

  promised('gives the pushes that are due, longest due first, and says when the next is', async (store) => {
    expect((await store.nextDue()).hubAt).toBeUndefined()
    const feedId = await addFeed(store, 'a')
    const due = (token: string, ms: number) => push(token, feedId, { dueAt: START + ms })
    await store.recordPushes([due('c', 5), due('a', 9), due('b', 2)])
    expect((await store.duePushes(START + 5, 9)).map(({ token }) => token)).toEqual(['b', 'c'])
    expect((await store.duePushes(START + 9, 1)).map(({ token }) => token)).toEqual(['b'])
    expect((await store.nextDue()).hubAt).toBe(START + 2)
    await store.recordPushes([{ ...due('b', 20), revision: 0 }])
    expect((await store.nextDue()).hubAt).toBe(START + 5)
  })

  promised('lets the push of a removed feed end, and forgets one that no hub knows of', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await store.recordPushes([push('t1', a, { state: 'active', dueAt: START + 99 }), push('t2', b)])
    await store.removeFeed(a)
    await store.removeFeed(b)
    expect(await store.pushByToken('t1')).toMatchObject({ state: 'ending' })
    expect((await store.duePushes(START, 9)).map(({ token }) => token)).toEqual(['t1'])
    expect(await store.pushesOf([a, b])).toEqual([undefined, undefined])
    expect(await store.pushByToken('t2')).toBeUndefined()
  })

  promised('writes what a hub brought, and leaves log, schedule, lease and feed alone', async (store) => {
    const feedId = await addFeed(store, 'a')
    await store.recordPolls([record(feedId, START + 5, { fresh: [draft('x')] })])
    await store.changeFeed(feedId, {}, { dueAt: START })
    await store.takeDue(START + 6, 9, START + 600)
    const before = await feedById(store, feedId)
    const news = { fresh: [draft('x'), draft('y')], changed: [draft('x', { title: 'other' })] }
    await store.recordNews([feedId, 99 as FeedId].map((id) => ({ feedId: id, at: START + 3, ...news })))
    expect(await feedById(store, feedId)).toStrictEqual(before)
    expect((await store.takeDue(START + 7, 9, START + 700)).feeds).toEqual([])
    const entries = await all(store.everyEntry({}))
    expect(entries.map(({ key, title, seenAt }) => [key, title, seenAt - START])).toEqual([
      ['x', 'other', 5],
      ['y', 'title of y', 3],
    ])
    await expectCounts(store, { feeds: { active: 1 }, entries: 2, polls: 1 })
  })
}

/** Store contract: hub subscriptions and pushed entries. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { type Bucket, type FeedId, type HubSubscription, NO_PUSH_QUALITY } from '../model/index.ts'
import { expectCounts, feedById } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, record, START } from './store-samples.contract.ts'

const push = (token: string, feedId: FeedId, more: Partial<HubSubscription> = {}): HubSubscription => ({
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

export function hubSubscriptionPromises(promised: Promised): void {
  promised('stores hub subscriptions unchanged, and finds them by token and feed', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const whole: Required<Omit<HubSubscription, 'revision'>> = {
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
    expect(await store.recordHubSubscriptions([whole, push('t2', b)])).toEqual([true, true])
    expect(await store.hubSubscriptionByToken('t1')).toStrictEqual({ ...whole, ...added })
    expect(await store.hubSubscriptionByToken('t3')).toBeUndefined()
    const [ofB, ofNobody, ofA] = await store.hubSubscriptionsOf([b, 99 as FeedId, a])
    expect([ofB, ofNobody, ofA]).toStrictEqual([{ ...push('t2', b), ...added }, undefined, { ...whole, ...added }])
    expect(await store.recordHubSubscriptions([{ ...push('t1', a), ...added }])).toEqual([true])
    expect(await store.hubSubscriptionByToken('t1')).toStrictEqual({ ...push('t1', a), revision: 1 })
    const nobody = { token: 'nobody', revision: 0 }
    expect(await store.dropHubSubscriptions([{ token: 't1', revision: 1 }, nobody])).toEqual([true, false])
    expect(await store.hubSubscriptionByToken('t1')).toBeUndefined()
  })

  promised('changes or drops a hub subscription only under the revision that was read', async (store, other) => {
    const feedId = await addFeed(store, 'a')
    await store.recordHubSubscriptions([push('t1', feedId)])
    const read = (await store.hubSubscriptionByToken('t1'))!
    const writers = [store, other, store, other].map((one, i) =>
      one.recordHubSubscriptions([{ ...read, failures: i + 1 }]),
    )
    const answers = (await Promise.all(writers)).flat()
    expect(answers.filter(Boolean)).toHaveLength(1)
    const written = { ...read, failures: answers.indexOf(true) + 1, revision: 1 }
    expect(await other.hubSubscriptionByToken('t1')).toStrictEqual(written)
    expect(await store.dropHubSubscriptions([read])).toEqual([false])
    expect(await store.recordHubSubscriptions([push('t1', feedId), push('t2', feedId)])).toEqual([false, true]) // the first exists already
    expect(await store.recordHubSubscriptions([{ ...push('t3', feedId), revision: 0 }])).toEqual([false])
    expect(await store.hubSubscriptionByToken('t1')).toStrictEqual(written)
    await store.recordHubSubscriptions([{ ...written, state: 'active' }])
    await store.removeFeed(feedId)
    expect(await store.recordHubSubscriptions([{ ...written, revision: 2 }])).toEqual([false]) // it is ending now
    expect(await store.dropHubSubscriptions([{ token: 't1', revision: 3 }])).toEqual([true])
  })

  promised('lists all hub subscriptions of feeds, without ending ones', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await store.recordHubSubscriptions([push('t2', b), push('t1', a), push('t3', a, { state: 'ending' })])
    const tokens = (await all(store.everyHubSubscription())).map(({ token }) => token)
    expect(tokens.sort()).toEqual(['t1', 't2'])
  })

  promised('returns due hub subscriptions, longest due first, and the next due date', async (store) => {
    expect((await store.nextDue()).hubAt).toBeUndefined()
    const feedId = await addFeed(store, 'a')
    const due = (token: string, ms: number) => push(token, feedId, { dueAt: START + ms })
    await store.recordHubSubscriptions([due('c', 5), due('a', 9), due('b', 2)])
    expect((await store.dueHubSubscriptions(START + 5, 9)).map(({ token }) => token)).toEqual(['b', 'c'])
    expect((await store.dueHubSubscriptions(START + 9, 1)).map(({ token }) => token)).toEqual(['b'])
    expect((await store.nextDue()).hubAt).toBe(START + 2)
    await store.recordHubSubscriptions([{ ...due('b', 20), revision: 0 }])
    expect((await store.nextDue()).hubAt).toBe(START + 5)
  })

  promised('ends the hub subscription of a removed feed, and drops it if no hub knows it', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await store.recordHubSubscriptions([push('t1', a, { state: 'active', dueAt: START + 99 }), push('t2', b)])
    await store.removeFeed(a)
    await store.removeFeed(b)
    expect(await store.hubSubscriptionByToken('t1')).toMatchObject({ state: 'ending' })
    expect((await store.dueHubSubscriptions(START, 9)).map(({ token }) => token)).toEqual(['t1'])
    expect(await store.hubSubscriptionsOf([a, b])).toEqual([undefined, undefined])
    expect(await store.hubSubscriptionByToken('t2')).toBeUndefined()
  })

  promised('writes pushed entries, without changing log, schedule, lease or feed', async (store) => {
    const feedId = await addFeed(store, 'a')
    await store.recordPolls([record(feedId, START + 5, { fresh: [draft('x')] })])
    await store.changeFeed(feedId, {}, { dueAt: START })
    await store.leaseDue(START + 6, 9, START + 600)
    const before = await feedById(store, feedId)
    const news = { fresh: [draft('x'), draft('y')], changed: [draft('x', { title: 'other' })] }
    await store.recordEntries([feedId, 99 as FeedId].map((id) => ({ feedId: id, at: START + 3, ...news })))
    expect(await feedById(store, feedId)).toStrictEqual(before)
    expect((await store.leaseDue(START + 7, 9, START + 700)).feeds).toEqual([])
    const entries = await all(store.everyEntry({}))
    expect(entries.map(({ key, title, seenAt }) => [key, title, seenAt - START])).toEqual([
      ['x', 'other', 5],
      ['y', 'title of y', 3],
    ])
    await expectCounts(store, { feeds: { active: 1 }, entries: 2, polls: 1 })
  })
}

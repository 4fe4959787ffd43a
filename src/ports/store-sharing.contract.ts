import { expect } from 'vitest'
import {
  type EntryId,
  type FeedOutId,
  MINUTE,
  type SavedSearchId,
  type UserId,
  type WebhookId,
} from '../model/index.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, START } from './store-samples.contract.ts'
import { addPerson } from './store-subscriptions.contract.ts'

export function sharingPromises(promised: Promised): void {
  const addSearch = async (store: Store, userId: UserId, name: string, more = {}) =>
    (await store.addSharedItem('search', {
      userId,
      name,
      query: `${name} -x`,
      addedAt: START,
      ...more,
    })) as SavedSearchId
  const feedOut = (userId: UserId, more = {}) =>
    ({ userId, name: 'All', of: { kind: 'all' }, text: 'full', key: 'secret', addedAt: START, ...more }) as const
  const webhook = (userId: UserId, searchId: SavedSearchId, more = {}) => ({
    userId,
    name: 'desk',
    url: 'https://desk.example/hook',
    secret: 'whsec',
    searchId,
    state: 'active' as const,
    addedAt: START,
    dueAt: START,
    cursor: 7 as EntryId,
    ...more,
  })

  promised('stores saved searches with unique names per user', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const flood = await addSearch(store, ada, 'Flood', { order: 'date', unique: 'story' })
    expect(await addSearch(store, ada, 'FLOOD')).toBeUndefined()
    const rain = await addSearch(store, ada, 'Rain')
    await addSearch(store, bob, 'Flood')
    expect(await store.sharedItems('search', ada)).toEqual([
      { id: flood, userId: ada, name: 'Flood', query: 'Flood -x', order: 'date', unique: 'story', addedAt: START },
      { id: rain, userId: ada, name: 'Rain', query: 'Rain -x', addedAt: START },
    ])
    expect(await store.changeSharedItem('search', ada, rain, { name: 'flood' })).toBe(false)
    expect(await store.changeSharedItem('search', ada, flood, { name: 'flood', order: null, query: 'y' })).toBe(true)
    expect(await store.changeSharedItem('search', bob, flood, { name: 'his' })).toBe(false)
    expect((await store.sharedItems('search', ada))[0]).toEqual({
      id: flood,
      userId: ada,
      name: 'flood',
      query: 'y',
      unique: 'story',
      addedAt: START,
    })
    expect(await store.removeSharedItem('search', bob, flood)).toBe(false)
    expect(await store.removeSharedItem('search', ada, flood)).toBe(true)
    expect((await store.sharedItems('search', ada)).map(({ id }) => id)).toEqual([rain])
    expect(await store.sharedItems('search', bob)).toHaveLength(1)
  })

  promised('finds an outgoing feed by its current key', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const searchId = await addSearch(store, ada, 'Flood')
    const id = await store.addSharedItem('feedOut', feedOut(ada, { unique: 'copy' }))
    const of = { kind: 'search', searchId } as const
    const found = await store.addSharedItem('feedOut', feedOut(ada, { key: 'other', of, text: 'summary' }))
    expect(await store.feedOutByKey('secret', START)).toMatchObject({ id, ...feedOut(ada, { unique: 'copy' }) })
    expect(await store.feedOutByKey('Secret', START)).toBeUndefined()
    expect(await store.feedOutByKey('', START)).toBeUndefined()
    await store.feedOutByKey('secret', START + MINUTE)
    expect((await store.sharedItems('feedOut', ada))[0]?.usedAt).toBe(START + MINUTE)
    expect((await store.sharedItems('feedOut', ada))[1]).toEqual({
      id: found,
      ...feedOut(ada, { key: 'other', of, text: 'summary' }),
    })
    expect(await store.changeSharedItem('feedOut', bob, id, { key: 'his' })).toBe(false)
    expect(
      await store.changeSharedItem('feedOut', ada, id, {
        key: 'new',
        unique: null,
        of: { kind: 'folder', folder: 'News' },
      }),
    ).toBe(true)
    expect(await store.feedOutByKey('secret', START)).toBeUndefined()
    const changed = await store.feedOutByKey('new', START)
    expect(changed).toMatchObject({ id, of: { kind: 'folder', folder: 'News' }, text: 'full' })
    expect(changed).not.toHaveProperty('unique')
    expect(await store.sharedItems('feedOut', bob)).toEqual([])
    expect(await store.removeSharedItem('feedOut', bob, id)).toBe(false)
    expect(await store.removeSharedItem('feedOut', ada, id)).toBe(true)
    expect(await store.removeSharedItem('feedOut', ada, 99 as FeedOutId)).toBe(false)
    await store.removeSharedItem('search', ada, searchId)
    expect(await store.sharedItems('feedOut', ada)).toEqual([])
    const feedId = await addFeed(store, 'a')
    await store.addSharedItem('feedOut', feedOut(ada, { of: { kind: 'feed', feedId } }))
    await store.removeFeed(feedId)
    expect(await store.sharedItems('feedOut', ada)).toEqual([])
  })

  promised('stores webhooks and their progress', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const searchId = await addSearch(store, ada, 'Flood')
    expect(await store.nextWebhookAt()).toBeUndefined()
    const id = await store.addSharedItem('webhook', webhook(ada, searchId, { dueAt: START + 2 }))
    const early = await store.addSharedItem(
      'webhook',
      webhook(bob, await addSearch(store, bob, 'x'), { dueAt: START + 1 }),
    )
    const paused = await store.addSharedItem('webhook', webhook(ada, searchId, { state: 'paused' }))
    expect(await store.sharedItems('webhook', ada)).toEqual([
      { id, ...webhook(ada, searchId, { dueAt: START + 2 }), failures: 0 },
      { id: paused, ...webhook(ada, searchId, { state: 'paused' }), failures: 0 },
    ])
    expect(await store.nextWebhookAt()).toBe(START + 1)
    expect(await store.dueWebhooks(START, 9)).toEqual([])
    expect((await store.dueWebhooks(START + 2, 9)).map((one) => one.id)).toEqual([early, id])
    expect((await store.dueWebhooks(START + 2, 1)).map((one) => one.id)).toEqual([early])
    const last = { at: START + 3, status: 500, trouble: 'it said no' }
    const progress = { state: 'failed', dueAt: START + 9, cursor: 8 as EntryId, failures: 3, last } as const
    expect(await store.recordDelivery(id, progress)).toBe(true)
    expect(await store.recordDelivery(paused, { ...progress, state: 'active' })).toBe(true)
    expect((await store.sharedItems('webhook', ada)).map(({ state }) => state)).toEqual(['failed', 'paused'])
    expect((await store.sharedItems('webhook', ada))[0]).toMatchObject(progress)
    expect(await store.recordDelivery(99 as WebhookId, progress)).toBe(false)
    expect(await store.changeSharedItem('webhook', bob, id, { name: 'his' })).toBe(false)
    expect(await store.changeSharedItem('webhook', ada, id, { state: 'active', failures: 0, dueAt: START })).toBe(true)
    expect((await store.dueWebhooks(START, 9)).map((one) => one.id)).toEqual([id])
    expect(await store.removeSharedItem('webhook', bob, id)).toBe(false)
    expect(await store.removeSharedItem('webhook', ada, id)).toBe(true)
    await store.removeSharedItem('search', ada, searchId)
    expect(await store.sharedItems('webhook', ada)).toEqual([])
    expect(await store.sharedItems('webhook', bob)).toHaveLength(1)
  })
}

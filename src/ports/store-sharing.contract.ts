import { expect } from 'vitest'
import {
  type EntryId,
  type FeedOutId,
  MINUTE,
  type PersonId,
  type SavedSearchId,
  type WebhookId,
} from '../model/index.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, START } from './store-samples.contract.ts'
import { addPerson } from './store-subscriptions.contract.ts'

export function handoutPromises(promised: Promised): void {
  const addSearch = async (store: Store, personId: PersonId, name: string, more = {}) =>
    (await store.addSavedSearch({ personId, name, query: `${name} -x`, addedAt: START, ...more })) as SavedSearchId
  const feedOut = (personId: PersonId, more = {}) =>
    ({ personId, name: 'River', of: { kind: 'river' }, text: 'full', key: 'secret', addedAt: START, ...more }) as const
  const webhook = (personId: PersonId, searchId: SavedSearchId, more = {}) => ({
    personId,
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

  promised('keeps searches, of which a person has no two of the same name', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const flood = await addSearch(store, ada, 'Flood', { order: 'date', unique: 'story' })
    expect(await addSearch(store, ada, 'FLOOD')).toBeUndefined()
    const rain = await addSearch(store, ada, 'Rain')
    await addSearch(store, bob, 'Flood')
    expect(await store.savedSearches(ada)).toEqual([
      { id: flood, personId: ada, name: 'Flood', query: 'Flood -x', order: 'date', unique: 'story', addedAt: START },
      { id: rain, personId: ada, name: 'Rain', query: 'Rain -x', addedAt: START },
    ])
    expect(await store.changeSavedSearch(ada, rain, { name: 'flood' })).toBe(false)
    expect(await store.changeSavedSearch(ada, flood, { name: 'flood', order: null, query: 'y' })).toBe(true)
    expect(await store.changeSavedSearch(bob, flood, { name: 'his' })).toBe(false)
    expect((await store.savedSearches(ada))[0]).toEqual({
      id: flood,
      personId: ada,
      name: 'flood',
      query: 'y',
      unique: 'story',
      addedAt: START,
    })
    expect(await store.removeHandout(bob, { searchId: flood })).toBe(false)
    expect(await store.removeHandout(ada, { searchId: flood })).toBe(true)
    expect((await store.savedSearches(ada)).map(({ id }) => id)).toEqual([rain])
    expect(await store.savedSearches(bob)).toHaveLength(1)
  })

  promised('finds a feed of somebody’s own by its key, until it has another', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const searchId = await addSearch(store, ada, 'Flood')
    const id = await store.addFeedOut(feedOut(ada, { unique: 'copy' }))
    const of = { kind: 'search', searchId } as const
    const found = await store.addFeedOut(feedOut(ada, { key: 'other', of, text: 'summary' }))
    expect(await store.feedOutWith('secret', START)).toMatchObject({ id, ...feedOut(ada, { unique: 'copy' }) })
    expect(await store.feedOutWith('Secret', START)).toBeUndefined()
    expect(await store.feedOutWith('', START)).toBeUndefined()
    await store.feedOutWith('secret', START + MINUTE)
    expect((await store.feedsOut(ada))[0]?.usedAt).toBe(START + MINUTE)
    expect((await store.feedsOut(ada))[1]).toEqual({
      id: found,
      ...feedOut(ada, { key: 'other', of, text: 'summary' }),
    })
    expect(await store.changeFeedOut(bob, id, { key: 'his' })).toBe(false)
    expect(
      await store.changeFeedOut(ada, id, { key: 'new', unique: null, of: { kind: 'folder', folder: 'News' } }),
    ).toBe(true)
    expect(await store.feedOutWith('secret', START)).toBeUndefined()
    const changed = await store.feedOutWith('new', START)
    expect(changed).toMatchObject({ id, of: { kind: 'folder', folder: 'News' }, text: 'full' })
    expect(changed).not.toHaveProperty('unique')
    expect(await store.feedsOut(bob)).toEqual([])
    expect(await store.removeHandout(bob, { feedOutId: id })).toBe(false)
    expect(await store.removeHandout(ada, { feedOutId: id })).toBe(true)
    expect(await store.removeHandout(ada, { feedOutId: 99 as FeedOutId })).toBe(false)
    await store.removeHandout(ada, { searchId })
    expect(await store.feedsOut(ada)).toEqual([])
    const feedId = await addFeed(store, 'a')
    await store.addFeedOut(feedOut(ada, { of: { kind: 'feed', feedId } }))
    await store.removeFeed(feedId)
    expect(await store.feedsOut(ada)).toEqual([])
  })

  promised('keeps webhooks, and how far each was told', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const searchId = await addSearch(store, ada, 'Flood')
    expect(await store.nextWebhookAt()).toBeUndefined()
    const id = await store.addWebhook(webhook(ada, searchId, { dueAt: START + 2 }))
    const early = await store.addWebhook(webhook(bob, await addSearch(store, bob, 'x'), { dueAt: START + 1 }))
    const paused = await store.addWebhook(webhook(ada, searchId, { state: 'paused' }))
    expect(await store.webhooks(ada)).toEqual([
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
    expect((await store.webhooks(ada)).map(({ state }) => state)).toEqual(['failed', 'paused'])
    expect((await store.webhooks(ada))[0]).toMatchObject(progress)
    expect(await store.recordDelivery(99 as WebhookId, progress)).toBe(false)
    expect(await store.changeWebhook(bob, id, { name: 'his' })).toBe(false)
    expect(await store.changeWebhook(ada, id, { state: 'active', failures: 0, dueAt: START })).toBe(true)
    expect((await store.dueWebhooks(START, 9)).map((one) => one.id)).toEqual([id])
    expect(await store.removeHandout(bob, { webhookId: id })).toBe(false)
    expect(await store.removeHandout(ada, { webhookId: id })).toBe(true)
    await store.removeHandout(ada, { searchId })
    expect(await store.webhooks(ada)).toEqual([])
    expect(await store.webhooks(bob)).toHaveLength(1)
  })
}

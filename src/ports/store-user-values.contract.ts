import { expect } from 'vitest'
import type { UserId } from '../model/index.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { all, START } from './store-samples.contract.ts'
import { addPerson } from './store-subscriptions.contract.ts'
import { USER_VALUE_KINDS } from './user-values.ts'

export function userValuePromises(promised: Promised): void {
  const keysOf = async (store: Store, userId: UserId, query = {}) =>
    (await store.userValues(userId, 'playback', { limit: 99, ...query })).map(({ key }) => key)

  promised('stores values by user, kind and key, newest first', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    await store.putUserValues(ada, 'playback', [{ key: '1', value: { seconds: 1.5, at: [null, 'é'] } }], START)
    await store.putUserValues(
      ada,
      'playback',
      [
        { key: '3', value: 0 },
        { key: '2', value: false },
      ],
      START + 1,
    )
    await store.putUserValues(ada, 'interaction', [{ key: '1', value: 'opened' }], START + 2)
    await store.putUserValues(bob, 'playback', [{ key: '1', value: 'his' }], START + 3)
    expect(await store.userValues(ada, 'playback', { limit: 9 })).toEqual([
      { key: '3', value: 0, changedAt: START + 1 },
      { key: '2', value: false, changedAt: START + 1 },
      { key: '1', value: { seconds: 1.5, at: [null, 'é'] }, changedAt: START },
    ])
    expect(await keysOf(store, ada, { keys: ['2', '1', '9'] })).toEqual(['2', '1'])
    expect(await keysOf(store, ada, { keys: [] })).toEqual([])
    expect(await keysOf(store, ada, { limit: 2 })).toEqual(['3', '2'])
    expect(await keysOf(store, ada, { changedBefore: START + 1 })).toEqual(['1'])
  })

  promised('stores values of the user before the first account', async (store) => {
    const first = await store.firstUser()
    await store.putUserValues(first, 'playback', [{ key: '1', value: 2 }], START)
    expect(await keysOf(store, first)).toEqual(['1'])
  })

  promised('replaces and removes values', async (store) => {
    const ada = await addPerson(store, 'Ada')
    await store.putUserValues(
      ada,
      'playback',
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 1 },
      ],
      START,
    )
    await store.putUserValues(
      ada,
      'playback',
      [
        { key: 'a', value: 2 },
        { key: 'b', value: undefined },
        { key: 'c', value: undefined },
      ],
      START + 1,
    )
    expect(await store.userValues(ada, 'playback', { limit: 9 })).toEqual([
      { key: 'a', value: 2, changedAt: START + 1 },
    ])
    await store.putUserValues(
      ada,
      'playback',
      [
        { key: 'a', value: 3 },
        { key: 'a', value: 4 },
      ],
      START + 2,
    )
    expect(await store.userValues(ada, 'playback', { limit: 9 })).toMatchObject([{ value: 4 }])
    await store.putUserValues(ada, 'playback', [], START + 3)
    expect(await keysOf(store, ada)).toEqual(['a'])
  })

  promised('keeps the values of a kind that changed last', async (store) => {
    const ada = await addPerson(store, 'Ada')
    const most = USER_VALUE_KINDS.playback
    const many = Array.from({ length: most + 2 }, (_, i) => ({ key: `${10_000 + i}`, value: i }))
    await store.putUserValues(ada, 'playback', many.slice(0, most), START)
    await store.putUserValues(ada, 'playback', [many[0]!], START + 1)
    await store.putUserValues(ada, 'playback', many.slice(most), START + 2)
    const keys = await keysOf(store, ada, { limit: most + 9 })
    expect(keys).toHaveLength(most)
    expect(keys.slice(0, 3)).toEqual([`${10_000 + most + 1}`, `${10_000 + most}`, '10000'])
    expect(keys).not.toContain('10001')
    expect(keys).not.toContain('10002')
    await store.putUserValues(ada, 'ranking', [{ key: 'old', value: 1 }], START)
    await store.putUserValues(ada, 'ranking', [{ key: 'new', value: 1 }], START + 1)
    expect(await store.userValues(ada, 'ranking', { limit: 9 })).toMatchObject([{ key: 'new' }])
  })

  promised('reads the values of all users, and none of removed ones', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const keys = Array.from({ length: 450 }, (_, i) => `${i}`)
    await store.putUserValues(
      ada,
      'playback',
      keys.map((key) => ({ key, value: key })),
      START,
    )
    await store.putUserValues(bob, 'playback', [{ key: 'x', value: 'his' }], START)
    await store.putUserValues(ada, 'interaction', [{ key: 'x', value: 1 }], START)
    const values = await all(store.everyUserValue('playback'))
    expect(values).toHaveLength(451)
    expect(new Set(values.map(({ userId, key }) => `${userId} ${key}`)).size).toBe(451)
    expect(values.find(({ userId }) => userId === bob)).toEqual({
      userId: bob,
      key: 'x',
      value: 'his',
      changedAt: START,
    })
    await store.removeUser(ada)
    for (let swept = 1; swept > 0; ) swept = await store.sweepRemoved(100)
    expect((await all(store.everyUserValue('playback'))).map(({ userId }) => userId)).toEqual([bob])
    await store.putUserValues(ada, 'playback', [{ key: 'late', value: 1 }], START + 1)
    expect(await store.userValues(ada, 'playback', { limit: 9 })).toEqual([])
  })
}

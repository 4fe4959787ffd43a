import { expect } from 'vitest'
import { type CredentialId, DAY, MINUTE, type UserId } from '../model/index.ts'
import { MAX_ONE_TIME_VALUES, type Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { START } from './store-samples.contract.ts'

export function userPromises(promised: Promised): void {
  const add = async (store: Store, name: string, more = {}) =>
    (await store.addUser({ name, scope: 'write', addedAt: START, password: 'hash', ...more })) as UserId
  const hash = (byte: number) => new Uint8Array(32).fill(byte)
  const pass = (userId: UserId, more = {}) =>
    ({ userId, kind: 'token', name: 'reader', scope: 'read', addedAt: START, ...more }) as const

  promised('stores users with unique names', async (store) => {
    const ada = await add(store, 'Ada', { scope: 'admin' })
    const bob = await add(store, 'bob')
    expect(await store.addUser({ name: 'ADA', scope: 'read', addedAt: START, password: 'x' })).toBeUndefined()
    expect(await store.allUsers()).toStrictEqual([
      { id: ada, name: 'Ada', scope: 'admin', addedAt: START },
      { id: bob, name: 'bob', scope: 'write', addedAt: START },
    ])
    expect(await store.userByName('aDa')).toStrictEqual({
      id: ada,
      name: 'Ada',
      scope: 'admin',
      addedAt: START,
      password: 'hash',
    })
    expect(await store.userByName('nobody')).toBeUndefined()
  })

  promised('changes a user, and removes one with all credentials', async (store) => {
    const ada = await add(store, 'Ada')
    expect(await store.changeUser(ada, { scope: 'read' })).toBe('done')
    expect(await store.changeUser(ada, { password: 'other' })).toBe('done')
    expect(await store.userByName('Ada')).toMatchObject({ scope: 'read', password: 'other' })
    await store.addCredential(pass(ada), hash(1))
    expect(await store.removeUser(ada)).toBe('done')
    expect(await store.removeUser(ada)).toBe('gone')
    expect(await store.changeUser(ada, { scope: 'admin' })).toBe('gone')
    expect(await store.credentialByHash(hash(1), START)).toBeUndefined()
    expect(await store.allUsers()).toEqual([])
    expect(await add(store, 'Ada')).not.toBe(ada) // ids are not reused
  })

  promised('keeps an admin when several are demoted or removed concurrently', async (store) => {
    const admins = await Promise.all(['ada', 'bob', 'cyd', 'dee'].map((name) => add(store, name, { scope: 'admin' })))
    const changed = await Promise.all(
      admins.map((id, i) => (i % 2 ? store.removeUser(id) : store.changeUser(id, { scope: 'read' }))),
    )
    expect(changed.toSorted()).toEqual(['done', 'done', 'done', 'last-admin'])
    const left = (await store.allUsers()).filter(({ scope }) => scope === 'admin')
    expect(left).toHaveLength(1)
    expect(await store.changeUser(left[0]!.id, { scope: 'write' })).toBe('last-admin')
    expect(await store.changeUser(left[0]!.id, { scope: 'admin', password: 'other' })).toBe('done')
    expect(await store.removeUser(left[0]!.id)).toBe('last-admin')
  })

  promised('finds a credential by its hash until it expires, and records its use to the minute', async (store) => {
    const ada = await add(store, 'Ada')
    const token = await store.addCredential(pass(ada), hash(1))
    const session = await store.addCredential(pass(ada, { kind: 'session', endsAt: START + DAY }), hash(2))
    expect(await store.credentialByHash(hash(1), START + MINUTE)).toMatchObject({
      credential: { id: token, kind: 'token', name: 'reader', scope: 'read', addedAt: START },
      user: { id: ada, name: 'Ada' },
    })
    expect(await store.credentialByHash(hash(2), START + DAY - 1)).toMatchObject({
      credential: { id: session, endsAt: START + DAY },
    })
    expect(await store.credentialByHash(hash(2), START + DAY)).toBeUndefined()
    expect(await store.credentialByHash(hash(3), START)).toBeUndefined()
    const [used] = await store.credentialsOf(ada, START)
    expect(Math.abs((used?.usedAt ?? 0) - (START + MINUTE))).toBeLessThanOrEqual(MINUTE)
    expect((await store.credentialsOf(ada, START + DAY)).map(({ id }) => id)).toEqual([token])
  })

  promised('removes credentials of one user only', async (store) => {
    const [ada, bob] = [await add(store, 'Ada'), await add(store, 'bob')]
    const [one, two] = [await store.addCredential(pass(ada), hash(1)), await store.addCredential(pass(ada), hash(2))]
    const bobsCredential = await store.addCredential(pass(bob), hash(3))
    expect(await store.removeCredentials(bob, { id: one })).toBe(0)
    expect(await store.removeCredentials(ada, { id: one })).toBe(1)
    expect(await store.removeCredentials(ada, { id: 99 as CredentialId })).toBe(0)
    const three = await store.addCredential(pass(ada), hash(4))
    await store.removeCredentials(ada, { except: three })
    expect((await store.credentialsOf(ada, START)).map(({ id }) => id)).toEqual([three])
    expect(await store.credentialByHash(hash(2), START)).toBeUndefined()
    await store.removeCredentials(ada, {})
    expect(await store.credentialsOf(ada, START)).toEqual([])
    expect((await store.credentialsOf(bob, START)).map(({ id }) => id)).toEqual([bobsCredential])
    expect(two).not.toBe(three)
  })

  promised(
    'remembers how and from where a session was signed in, and keeps identities after a password change',
    async (store) => {
      const ada = await add(store, 'Ada')
      const session = { method: 'passkey', address: '2001:db8::1' } as const
      const id = await store.addCredential(pass(ada, { kind: 'session', ...session }), hash(1))
      const identity = await store.addCredential(pass(ada, { kind: 'identity' }), hash(2))
      expect(await store.credentialsOf(ada, START)).toMatchObject([{ id, ...session }, { id: identity }])
      expect((await store.credentialByHash(hash(1), START))?.credential).toMatchObject(session)
      await store.removeCredentials(ada, {})
      expect((await store.credentialsOf(ada, START)).map((one) => one.id)).toEqual([identity])
      expect(await store.removeCredentials(ada, { id: identity })).toBe(1)
    },
  )

  promised('returns a value that can be used once to one caller, for its purpose, until it ends', async (store) => {
    const once = (byte: number, more = {}) =>
      ({ purpose: 'oidc', hash: hash(byte), value: `value ${byte}`, endsAt: START + MINUTE, ...more }) as const
    const [one = false, same = false, other] = await Promise.all(
      [once(1), once(1), once(2)].map((value) => store.addOneTimeValue(value, START)),
    )
    expect([[one, same].filter(Boolean).length, other]).toEqual([1, true]) // either of the two may be first
    expect(await store.takeOneTimeValue('passkey', hash(1), START)).toBeUndefined()
    const taken = await Promise.all([1, 2, 3].map(() => store.takeOneTimeValue('oidc', hash(1), START)))
    expect(taken.filter((value) => value !== undefined)).toEqual(['value 1'])
    expect(await store.takeOneTimeValue('oidc', hash(2), START + MINUTE)).toBeUndefined()
    await store.addOneTimeValue(once(3), START)
    expect(await store.addOneTimeValue(once(3), START + MINUTE - 1)).toBe(false)
    expect(await store.addOneTimeValue(once(3, { endsAt: START + DAY }), START + MINUTE)).toBe(true)
  })

  promised('limits values that can be used once, and drops those that end first', async (store) => {
    const hashOf = (i: number) => new Uint8Array(new Uint32Array([i]).buffer)
    const add = (i: number) =>
      store.addOneTimeValue({ purpose: 'oidc', hash: hashOf(i), value: '', endsAt: START + DAY + i }, START)
    for (let first = 0; first < MAX_ONE_TIME_VALUES; first += 200)
      await Promise.all(Array.from({ length: Math.min(200, MAX_ONE_TIME_VALUES - first) }, (_, i) => add(first + i)))
    await add(MAX_ONE_TIME_VALUES)
    await add(MAX_ONE_TIME_VALUES + 1)
    const taken = await Promise.all([0, 1, 2].map((i) => store.takeOneTimeValue('oidc', hashOf(i), START)))
    expect(taken).toEqual([undefined, undefined, ''])
  })
}

import { expect } from 'vitest'
import { DAY, MINUTE, type PassId, type PersonId } from '../model/index.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { START } from './store-samples.contract.ts'

export function peoplePromises(promised: Promised): void {
  const add = async (store: Store, name: string, more = {}) =>
    (await store.addPerson({ name, allows: 'write', addedAt: START, password: 'hash', ...more })) as PersonId
  const hash = (byte: number) => new Uint8Array(32).fill(byte)
  const pass = (personId: PersonId, more = {}) =>
    ({ personId, kind: 'token', name: 'reader', allows: 'read', addedAt: START, ...more }) as const

  promised('keeps people, of whom no two have the same name', async (store) => {
    const ada = await add(store, 'Ada', { allows: 'admin' })
    const bob = await add(store, 'bob')
    expect(await store.addPerson({ name: 'ADA', allows: 'read', addedAt: START, password: 'x' })).toBeUndefined()
    expect(await store.people()).toStrictEqual([
      { id: ada, name: 'Ada', allows: 'admin', addedAt: START },
      { id: bob, name: 'bob', allows: 'write', addedAt: START },
    ])
    expect(await store.personNamed('aDa')).toStrictEqual({
      id: ada,
      name: 'Ada',
      allows: 'admin',
      addedAt: START,
      password: 'hash',
    })
    expect(await store.personNamed('nobody')).toBeUndefined()
  })

  promised('changes a person, and removes one with all passes', async (store) => {
    const ada = await add(store, 'Ada')
    expect(await store.changePerson(ada, { allows: 'read' })).toBe('done')
    expect(await store.changePerson(ada, { password: 'other' })).toBe('done')
    expect(await store.personNamed('Ada')).toMatchObject({ allows: 'read', password: 'other' })
    await store.addPass(pass(ada), hash(1))
    expect(await store.removePerson(ada)).toBe('done')
    expect(await store.removePerson(ada)).toBe('gone')
    expect(await store.changePerson(ada, { allows: 'admin' })).toBe('gone')
    expect(await store.passWith(hash(1), START)).toBeUndefined()
    expect(await store.people()).toEqual([])
    expect(await add(store, 'Ada')).not.toBe(ada) // whoever comes later is somebody else
  })

  promised('keeps an admin, also where several are demoted or removed at once', async (store) => {
    const admins = await Promise.all(['ada', 'bob', 'cyd', 'dee'].map((name) => add(store, name, { allows: 'admin' })))
    const changed = await Promise.all(
      admins.map((id, i) => (i % 2 ? store.removePerson(id) : store.changePerson(id, { allows: 'read' }))),
    )
    expect(changed.toSorted()).toEqual(['done', 'done', 'done', 'last-admin'])
    const left = (await store.people()).filter(({ allows }) => allows === 'admin')
    expect(left).toHaveLength(1)
    expect(await store.changePerson(left[0]!.id, { allows: 'write' })).toBe('last-admin')
    expect(await store.changePerson(left[0]!.id, { allows: 'admin', password: 'other' })).toBe('done')
    expect(await store.removePerson(left[0]!.id)).toBe('last-admin')
  })

  promised('finds a pass by its hash until it ends, and notes to the minute when it was used', async (store) => {
    const ada = await add(store, 'Ada')
    const token = await store.addPass(pass(ada), hash(1))
    const session = await store.addPass(pass(ada, { kind: 'session', endsAt: START + DAY }), hash(2))
    expect(await store.passWith(hash(1), START + MINUTE)).toMatchObject({
      pass: { id: token, kind: 'token', name: 'reader', allows: 'read', addedAt: START },
      person: { id: ada, name: 'Ada' },
    })
    expect(await store.passWith(hash(2), START + DAY - 1)).toMatchObject({ pass: { id: session, endsAt: START + DAY } })
    expect(await store.passWith(hash(2), START + DAY)).toBeUndefined()
    expect(await store.passWith(hash(3), START)).toBeUndefined()
    const [used] = await store.passesOf(ada, START)
    expect(Math.abs((used?.usedAt ?? 0) - (START + MINUTE))).toBeLessThanOrEqual(MINUTE)
    expect((await store.passesOf(ada, START + DAY)).map(({ id }) => id)).toEqual([token])
  })

  promised('removes passes of a person, and of nobody else', async (store) => {
    const [ada, bob] = [await add(store, 'Ada'), await add(store, 'bob')]
    const [one, two] = [await store.addPass(pass(ada), hash(1)), await store.addPass(pass(ada), hash(2))]
    const his = await store.addPass(pass(bob), hash(3))
    expect(await store.removePasses(bob, { id: one })).toBe(0)
    expect(await store.removePasses(ada, { id: one })).toBe(1)
    expect(await store.removePasses(ada, { id: 99 as PassId })).toBe(0)
    const three = await store.addPass(pass(ada), hash(4))
    await store.removePasses(ada, { except: three })
    expect((await store.passesOf(ada, START)).map(({ id }) => id)).toEqual([three])
    expect(await store.passWith(hash(2), START)).toBeUndefined()
    await store.removePasses(ada, {})
    expect(await store.passesOf(ada, START)).toEqual([])
    expect((await store.passesOf(bob, START)).map(({ id }) => id)).toEqual([his])
    expect(two).not.toBe(three)
  })
}

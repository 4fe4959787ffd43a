/** The API client of a store in this process: users and errors. */
import { expect, it } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { HOUR } from '../model/index.ts'
import { rolesOf, StoreError } from '../ports/index.ts'
import { createMemorySearch } from '../search/index.ts'
import { InputError } from './addresses.ts'
import { mapErrors } from './map-errors.ts'
import { openInProcess } from './open-client.ts'
import { defaultConfig } from './read-config.ts'

async function opened(config = {}) {
  const { store, clock, addFeed } = createServerFixture()
  const id = await addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [{ title: 'High', agoMs: HOUR }],
  })
  let isClosed = false
  const close = async () => {
    isClosed = true
  }
  const roles = rolesOf(store)
  const open = () =>
    openInProcess({ ...defaultConfig(), ...config }, { ...roles, search: createMemorySearch(), clock, close })
  return { store, roles, id, open, isClosed: () => isClosed }
}

it('reads everything, also if there are accounts', async () => {
  const { store, id, open } = await opened()
  await store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: '' })
  await store.addUser({ name: 'bob', scope: 'read', addedAt: 0, password: '' })
  const { client } = await open()
  expect((await client.listFeeds()).feeds).toMatchObject([{ id }])
})

it('acts as the given user', async () => {
  const { store, open } = await opened({ user: 'bob' })
  await store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: '' })
  await store.addUser({ name: 'bob', scope: 'read', addedAt: 0, password: '' })
  const { client } = await open()
  expect((await client.listFeeds()).feeds).toEqual([])
})

it('rejects an unknown user, and closes the store', async () => {
  const { open, isClosed } = await opened({ user: 'carol' })
  await expect(open()).rejects.toThrow('there is no user "carol"')
  expect(isClosed()).toBe(true)
})

it('reports wrong input without the address of a server', async () => {
  const { open } = await opened()
  const { client, explain } = await open()
  const guarded = mapErrors({ feeds: () => client.listFeeds({ query: { limit: 0 } }) }, explain)
  const refused = await guarded.feeds().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(InputError)
  expect(refused).toMatchObject({
    message: 'invalid parameter limit=0',
    hint: 'limit is a whole number from 1 to 1000',
  })
})

it('passes store errors and internal errors on unchanged, also during an export', async () => {
  const { roles, open } = await opened()
  const { client, explain } = await open()
  const guarded = mapErrors(client, explain)
  const full = new StoreError('no-access', 'the disk is full', 'make room')
  roles.catalogue.counts = () => Promise.reject(full)
  await expect(guarded.getStatus()).rejects.toBe(full)
  const mistake = new TypeError('odd')
  roles.catalogue.everyPoll = async function* () {
    yield* []
    throw mistake
  }
  const lines = async () => {
    for await (const _ of guarded.exportPolls());
  }
  await expect(lines()).rejects.toBe(mistake)
})

it('rejects changes without a crawl', async () => {
  const { id, open } = await opened()
  const { client, explain } = await open()
  const guarded = mapErrors(client, explain)
  await expect(guarded.removeFeed({ params: { id } })).rejects.toThrow('this needs a crawl')
})

/** A store in this process, asked through the API: what comes back where something is wrong, and for whom. */
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

it('sees everything, also where there are accounts', async () => {
  const { store, id, open } = await opened()
  await store.addPerson({ name: 'ada', allows: 'admin', addedAt: 0, password: '' })
  await store.addPerson({ name: 'bob', allows: 'read', addedAt: 0, password: '' })
  const { client } = await open()
  expect((await client.listFeeds()).feeds).toMatchObject([{ id }])
})

it('acts as the user who is named', async () => {
  const { store, open } = await opened({ user: 'bob' })
  await store.addPerson({ name: 'ada', allows: 'admin', addedAt: 0, password: '' })
  await store.addPerson({ name: 'bob', allows: 'read', addedAt: 0, password: '' })
  const { client } = await open()
  expect((await client.listFeeds()).feeds).toEqual([])
})

it('refuses a user who does not exist, and closes the store', async () => {
  const { open, isClosed } = await opened({ user: 'carol' })
  await expect(open()).rejects.toThrow('there is no user "carol"')
  expect(isClosed()).toBe(true)
})

it('reports wrong input without the address of a server', async () => {
  const { open } = await opened()
  const { client, explain } = await open()
  const asked = mapErrors({ feeds: () => client.listFeeds({ query: { limit: 0 } }) }, explain)
  const refused = await asked.feeds().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(InputError)
  expect(refused).toMatchObject({
    message: 'invalid parameter limit=0',
    hint: 'limit is a whole number from 1 to 1000',
  })
})

it('throws errors of the store and mistakes of ours as they are, also amid an export', async () => {
  const { roles, open } = await opened()
  const { client, explain } = await open()
  const asked = mapErrors(client, explain)
  const full = new StoreError('no-access', 'the disk is full', 'make room')
  roles.catalogue.counts = () => Promise.reject(full)
  await expect(asked.getStatus()).rejects.toBe(full)
  const mistake = new TypeError('odd')
  roles.catalogue.everyPoll = async function* () {
    yield* []
    throw mistake
  }
  const lines = async () => {
    for await (const _ of asked.exportPolls());
  }
  await expect(lines()).rejects.toBe(mistake)
})

it('changes nothing where no crawl is open', async () => {
  const { id, open } = await opened()
  const { client, explain } = await open()
  const asked = mapErrors(client, explain)
  await expect(asked.removeFeed({ params: { id } })).rejects.toThrow('this needs a crawl')
})

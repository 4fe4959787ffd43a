/** Users whom a proxy has signed in: the header is believed from trusted proxies only. */
import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../../test/server-fixture.ts'
import { hashPassword } from '../../credentials/index.ts'
import type { SignInSettings } from './settings.ts'

const PASSWORD = 'correct horse battery'
const HASH = hashPassword(PASSWORD)
const [PROXY, STRANGER] = ['192.0.2.1', '203.0.113.9']

async function createScene(settings: Partial<SignInSettings> = {}) {
  const trustProxy = new BlockList()
  trustProxy.addAddress(PROXY)
  const proxyHeaders = { user: 'Remote-User', groups: 'Remote-Groups' }
  const fixture = createServerFixture({
    trustProxy,
    signIn: { proxyHeaders, provisionUsers: false, groupRoles: [], ...settings },
  })
  for (const name of ['ada', 'bob'])
    await fixture.store.addUser({ name, scope: 'admin', addedAt: 0, password: await HASH })
  const ask = async (
    path: string,
    headers: Record<string, string>,
    { from = PROXY, body }: { from?: string; body?: object } = {},
  ) => {
    const env = { incoming: { socket: { remoteAddress: from, remotePort: 1, remoteFamily: 'IPv4' } } }
    const init = {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }
    const response = await fixture.app.request(`http://localhost/api/v1/${path}`, init, env)
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status: response.status, json: (await response.json()) as Record<string, unknown>, cookie }
  }
  return { ...fixture, ask }
}

describe('the header of a proxy', () => {
  test.each([
    ['a trusted proxy', PROXY, { 'remote-user': 'Ada' }, 200],
    ['a client that is no proxy', STRANGER, { 'remote-user': 'ada' }, 401],
    ['a client that names a proxy', STRANGER, { 'remote-user': 'ada', 'x-forwarded-for': PROXY }, 401],
    ['a trusted proxy, for an unknown user', PROXY, { 'remote-user': 'eve' }, 403],
    ['a trusted proxy, twice', PROXY, { 'remote-user': 'ada, bob' }, 403],
    ['a trusted proxy, in another header', PROXY, { 'x-remote-user': 'ada' }, 401],
    ['a trusted proxy, empty', PROXY, { 'remote-user': '' }, 401],
    ['a trusted proxy, beside a wrong token', PROXY, { 'remote-user': 'ada', authorization: 'Bearer x' }, 401],
  ])('from %s (%s) with %j answers %s', async (_, from, headers, status) => {
    const { ask } = await createScene()
    expect((await ask('feeds', headers as unknown as Record<string, string>, { from })).status).toBe(status)
  })

  test('is ignored unless the operator names it', async () => {
    const { ask } = await createScene({ proxyHeaders: undefined as never })
    expect((await ask('feeds', { 'remote-user': 'ada' })).status).toBe(401)
  })

  test('replaces the session that another user has left in the browser', async () => {
    const { ask } = await createScene()
    const { cookie } = await ask('session', {}, { body: { name: 'bob', password: PASSWORD } })
    expect((await ask('session', { cookie })).json).toMatchObject({ user: { name: 'bob' }, method: 'password' })
    const { json } = await ask('session', { cookie, 'remote-user': 'ada' })
    expect(json).toMatchObject({ user: { name: 'ada' }, method: 'proxy' })
  })

  test('is not believed from a page of another site', async () => {
    const { ask } = await createScene()
    const headers = { 'remote-user': 'ada', origin: 'https://evil.example' }
    expect((await ask('folders/rename', headers, { body: {} })).status).toBe(403)
  })
})

test('accounts are created if the operator allows it, with the access of their groups', async () => {
  const { ask, store } = await createScene({
    provisionUsers: true,
    groupRoles: [
      { group: 'editors', scope: 'write' },
      { group: 'admins', scope: 'admin' },
    ],
  })
  const session = async (name: string, groups: string) =>
    (await ask('session', { 'remote-user': name, 'remote-groups': groups })).json
  expect(await session('eve', 'readers,editors')).toMatchObject({ user: { name: 'eve' }, scope: 'write' })
  expect(await session('eve', 'admins')).toMatchObject({ scope: 'admin' })
  expect(await session('eve', 'editors')).toMatchObject({ scope: 'write' })
  expect(await session('eve', 'others')).toMatchObject({ status: 403 })
  expect(await session('no such "name"', 'editors')).toMatchObject({ status: 403 })
  expect((await store.allUsers()).map(({ name }) => name)).toEqual(['ada', 'bob', 'eve'])
})

test('many first requests at once create one account', async () => {
  const { ask, store } = await createScene({ provisionUsers: true })
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => (await ask('feeds', { 'remote-user': 'eve' })).status),
  )
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect(await store.allUsers()).toHaveLength(3)
})

/** Accounts, sessions, tokens, and the scopes of operations. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { OPERATIONS } from '../api/index.ts'
import { hashPassword } from '../credentials/index.ts'
import { type AccessScope, DAY, includesScope, MINUTE, type UserId } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

const PASSWORD = 'correct horse battery'
/** Hashed once, because hashing is slow. */
const HASH = hashPassword(PASSWORD)
const JSON_TYPE = { 'content-type': 'application/json' }

async function createScene(changes: Parameters<typeof createServerFixture>[0] = {}) {
  const fixture = createServerFixture({ localKey: 'local-key', ...changes })
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const add = async (name: string, scope: AccessScope) => {
    const user = { name, scope, addedAt: fixture.clock.now() }
    return { ...user, id: (await fixture.store.addUser({ ...user, password: await HASH }))! }
  }
  const ada = await add('ada', 'admin')
  const bob = await add('bob', 'write')
  const tokenFor = async (id: UserId, scope: AccessScope) => (await accounts.addToken(id, { name: 't', scope })).secret
  const ask = (path: string, { method = 'GET', body, ...headers }: Record<string, string> = {}) =>
    fixture.app.request(`http://localhost${path}`, {
      method,
      headers: { ...(method !== 'GET' && JSON_TYPE), ...headers },
      ...(method !== 'GET' && { body: body ?? '{}' }),
    })
  const logIn = (name: string, password: string) =>
    ask('/api/v1/session', { method: 'POST', body: JSON.stringify({ name, password }) })
  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ...fixture, accounts, ada, bob, tokenFor, ask, logIn, cookieOf }
}

describe('every operation', () => {
  const operations = Object.values(OPERATIONS)
  const ways = ['nobody', 'a wrong token', 'read', 'write', 'admin', 'local key'] as const

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s requires its scope',
    async (_, operation) => {
      const { ask, tokenFor, ada } = await createScene()
      const needed = operation['x-scope']
      const path = operation.path.replaceAll(/\{\w+\}/g, '9')
      for (const way of ways) {
        const token = { 'a wrong token': 'freshet_wrong', 'local key': 'local-key' }[way as string]
        const secret = token ?? (way === 'nobody' ? undefined : await tokenFor(ada.id, way as AccessScope))
        const { status } = await ask(path, {
          method: operation.method.toUpperCase(),
          ...(secret && { authorization: `Bearer ${secret}` }),
        })
        const has = way === 'local key' ? 'admin' : way === 'nobody' || way === 'a wrong token' ? undefined : way
        if (needed === 'none') expect([401, 403]).not.toContain(status)
        else if (!has) expect([way, status]).toEqual([way, 401])
        else if (!includesScope(has, needed)) expect([way, status]).toEqual([way, 403])
        else expect([way, status === 401]).toEqual([way, false])
      }
    },
  )

  test('paths without an operation, such as OPML, require the read scope', async () => {
    const { ask, tokenFor, bob } = await createScene()
    expect((await ask('/feeds.opml')).status).toBe(401)
    expect((await ask('/feeds.opml', { authorization: `Bearer ${await tokenFor(bob.id, 'read')}` })).status).toBe(200)
    for (const open of ['/', '/theme.js', '/read/all', '/healthz']) expect((await ask(open)).status).toBe(200)
  })
})

describe('without accounts', () => {
  test('no login is required', async () => {
    const { app } = createServerFixture()
    expect(await (await app.request('/api/v1/session')).json()).toEqual({ scope: 'admin' })
    expect((await app.request('/api/v1/users')).status).toBe(200)
  })

  test('the first account is an admin, and from then on a login is required', async () => {
    const { app } = createServerFixture()
    const add = (body: object) =>
      app.request('/api/v1/users', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })
    expect((await add({ name: 'ada', password: PASSWORD, scope: 'read' })).status).toBe(409)
    expect(await (await add({ name: 'ada', password: PASSWORD })).json()).toMatchObject({
      name: 'ada',
      scope: 'admin',
    })
    expect((await add({ name: 'bob', password: PASSWORD })).status).toBe(401)
    expect(await (await app.request('/api/v1/session')).json()).toEqual({})
  })
})

describe('a session', () => {
  test('is created with name and password, as an HttpOnly cookie, and expires', async () => {
    const { ask, logIn, cookieOf, clock } = await createScene()
    const response = await logIn('Ada', PASSWORD)
    expect(await response.json()).toMatchObject({ user: { name: 'ada' }, scope: 'admin' })
    expect(response.headers.get('set-cookie')).toMatch(
      /^freshet_session=freshet_[\w-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    const cookie = cookieOf(response)
    expect((await ask('/api/v1/feeds', { cookie })).status).toBe(200)
    await clock.advance(29 * DAY)
    expect((await ask('/api/v1/feeds', { cookie })).status).toBe(200)
    expect((await ask('/api/v1/session', { method: 'DELETE', cookie })).status).toBe(204)
    expect((await ask('/api/v1/feeds', { cookie })).status).toBe(401)
    const other = cookieOf(await logIn('ada', PASSWORD))
    await clock.advance(30 * DAY)
    expect((await ask('/api/v1/feeds', { cookie: other })).status).toBe(401)
  })

  test('gives the same error for a wrong password and an unknown user', async () => {
    const { logIn } = await createScene()
    const [wrong, nobody] = [await logIn('ada', 'wrong horse battery'), await logIn('zoe', PASSWORD)]
    expect([wrong.status, nobody.status]).toEqual([401, 401])
    const errorOf = async (response: Response) => ({ ...((await response.json()) as object), requestId: undefined })
    expect(await errorOf(wrong)).toEqual(await errorOf(nobody))
  })

  test('throttles repeated failures, even with the correct password', async () => {
    const { logIn, clock } = await createScene()
    for (let i = 0; i < 5; i++) expect((await logIn('ada', `wrong ${i} horse`)).status).toBe(401)
    const refused = await logIn('ada', PASSWORD)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await clock.advance(MINUTE)
    expect((await logIn('ada', PASSWORD)).status).toBe(200)
  })

  test('survives a password change, which ends all other sessions and tokens', async () => {
    const { ask, logIn, cookieOf, tokenFor, bob } = await createScene()
    const [current, there] = [cookieOf(await logIn('bob', PASSWORD)), cookieOf(await logIn('bob', PASSWORD))]
    const token = await tokenFor(bob.id, 'read')
    const change = (old: string) =>
      ask('/api/v1/session/password', {
        method: 'PUT',
        cookie: current,
        body: JSON.stringify({ old, new: 'another horse' }),
      })
    expect((await change('wrong horse')).status).toBe(401)
    expect((await change(PASSWORD)).status).toBe(204)
    expect((await ask('/api/v1/feeds', { cookie: current })).status).toBe(200)
    expect((await ask('/api/v1/feeds', { cookie: there })).status).toBe(401)
    expect((await ask('/api/v1/feeds', { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await logIn('bob', 'another horse')).status).toBe(200)
  })
})

describe('a token', () => {
  test('is created by its owner, shown once, accepted as Bearer or Basic password, and revoked', async () => {
    const { ask, logIn, cookieOf, bob, store } = await createScene()
    const cookie = cookieOf(await logIn('bob', PASSWORD))
    const path = `/api/v1/users/${bob.id}/tokens`
    const created = await ask(path, { method: 'POST', cookie, body: '{"name": "reader", "scope": "admin"}' })
    const { token, secret } = (await created.json()) as { token: { id: number }; secret: string }
    expect(token).toMatchObject({ name: 'reader', scope: 'write' }) // at most the rights of the user
    for (const authorization of [`Bearer ${secret}`, `Basic ${btoa(`bob:${secret}`)}`])
      expect((await ask('/api/v1/feeds', { authorization })).status).toBe(200)
    const listed = await (await ask(path, { cookie })).text()
    expect(listed).toContain('"usedAt":"2026-03-14')
    expect(listed).not.toContain(secret)
    expect(JSON.stringify(await store.credentialsOf(bob.id, NOW))).not.toContain(secret)
    expect((await ask(`${path}/${token.id}`, { method: 'DELETE', cookie })).status).toBe(204)
    expect((await ask('/api/v1/feeds', { authorization: `Bearer ${secret}` })).status).toBe(401)
  })

  test('cannot create tokens, and only admins see tokens of other users', async () => {
    const { ask, tokenFor, logIn, cookieOf, ada, bob } = await createScene()
    const authorization = `Bearer ${await tokenFor(bob.id, 'write')}`
    const body = '{"name": "more", "scope": "read"}'
    expect((await ask(`/api/v1/users/${bob.id}/tokens`, { method: 'POST', authorization, body })).status).toBe(403)
    const cookie = cookieOf(await logIn('bob', PASSWORD))
    expect((await ask(`/api/v1/users/${ada.id}/tokens`, { cookie })).status).toBe(403)
    const admin = cookieOf(await logIn('ada', PASSWORD))
    expect((await ask(`/api/v1/users/${bob.id}/tokens`, { cookie: admin })).status).toBe(200)
  })

  test('is revoked when its user loses rights', async () => {
    const { ask, tokenFor, accounts, bob } = await createScene()
    const authorization = `Bearer ${await tokenFor(bob.id, 'write')}`
    await accounts.change(bob.id, { scope: 'read' })
    expect((await ask('/api/v1/feeds', { authorization })).status).toBe(401)
  })
})

test('limits the request rate of each token, with Retry-After', async () => {
  const { ask, tokenFor, bob, clock } = await createScene()
  const [eager, calm] = [await tokenFor(bob.id, 'read'), await tokenFor(bob.id, 'read')]
  const status = async (secret: string) => (await ask('/api/v1/session', { authorization: `Bearer ${secret}` })).status
  for (let i = 0; i < 500; i++) expect(await status(eager)).toBe(200)
  const refused = await ask('/api/v1/session', { authorization: `Bearer ${eager}` })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await status(calm)).toBe(200)
  await clock.advance(1000)
  expect(await status(eager)).toBe(200)
})

test('keeps one admin if two admins demote each other concurrently', async () => {
  const { accounts, ada, bob } = await createScene()
  await accounts.change(bob.id, { scope: 'admin' })
  const demoted = await Promise.allSettled([ada.id, bob.id].map((id) => accounts.change(id, { scope: 'read' })))
  expect(demoted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await accounts.list()).filter(({ scope }) => scope === 'admin')).toHaveLength(1)
})

test('does not serve outgoing feeds of a read-only user until they can write again', async () => {
  const { accounts, ask, store, bob } = await createScene()
  const feedOut = { name: 'all', of: { kind: 'all' }, text: 'full', key: 'freshet_secret', addedAt: 0 } as const
  await store.addSharedItem('feedOut', { userId: bob.id, ...feedOut })
  const status = async () => (await ask('/feeds/out/freshet_secret.json')).status
  expect(await status()).toBe(200)
  await accounts.change(bob.id, { scope: 'read' })
  expect(await status()).toBe(404)
  await accounts.change(bob.id, { scope: 'write' })
  expect(await status()).toBe(200)
})

test('rejects removing or demoting the last admin', async () => {
  const { accounts, ada, bob } = await createScene()
  await expect(accounts.remove(ada.id)).rejects.toThrow(/last admin/)
  await expect(accounts.change(ada.id, { scope: 'write' })).rejects.toThrow(/last admin/)
  await accounts.change(bob.id, { scope: 'admin' })
  await accounts.remove(ada.id)
  expect((await accounts.list()).map(({ name }) => name)).toEqual(['bob'])
})

test('accepts any host name with accounts, and only local names without', async () => {
  const headers = { host: 'reader.example' }
  expect((await createServerFixture().app.request('/api/v1/session', { headers })).status).toBe(421)
  expect((await (await createScene()).app.request('/api/v1/session', { headers })).status).toBe(200)
})

test('requires a login if other machines can reach the server', async () => {
  const listening = await (await createScene({ host: '0.0.0.0' })).listen(0)
  expect(listening.setUpUrl).toBeUndefined()
  expect((await fetch(`${listening.url}/api/v1/feeds`)).status).toBe(401)
  await listening.close()
})

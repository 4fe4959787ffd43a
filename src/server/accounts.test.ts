/** Who may do what, and how somebody proves who he is. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { OPERATIONS } from '../api/index.ts'
import { hashPassword } from '../credentials/index.ts'
import { type Allowance, DAY, includesAllowance, MINUTE, type PersonId } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

const PASSWORD = 'correct horse battery'
/** Made once: hashing is slow on purpose. */
const HASH = hashPassword(PASSWORD)
const JSON_TYPE = { 'content-type': 'application/json' }

async function inhabited(changes: Parameters<typeof createServerFixture>[0] = {}) {
  const stage = createServerFixture({ localKey: 'local-key', ...changes })
  const accounts = createAccounts({ people: stage.store, clock: stage.clock })
  const add = async (name: string, allows: Allowance) => {
    const person = { name, allows, addedAt: stage.clock.now() }
    return { ...person, id: (await stage.store.addPerson({ ...person, password: await HASH }))! }
  }
  const ada = await add('ada', 'admin')
  const bob = await add('bob', 'write')
  const tokenFor = async (id: PersonId, allows: Allowance) =>
    (await accounts.addToken(id, { name: 't', allows })).secret
  const ask = (path: string, { method = 'GET', body, ...headers }: Record<string, string> = {}) =>
    stage.app.request(`http://localhost${path}`, {
      method,
      headers: { ...(method !== 'GET' && JSON_TYPE), ...headers },
      ...(method !== 'GET' && { body: body ?? '{}' }),
    })
  const logIn = (name: string, password: string) =>
    ask('/api/v1/session', { method: 'POST', body: JSON.stringify({ name, password }) })
  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ...stage, accounts, ada, bob, tokenFor, ask, logIn, cookieOf }
}

describe('every operation', () => {
  const operations = Object.values(OPERATIONS)
  const ways = ['nobody', 'a wrong token', 'read', 'write', 'admin', 'local key'] as const

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s is done for whom it is for, and for nobody else',
    async (_, operation) => {
      const { ask, tokenFor, ada } = await inhabited()
      const needed = operation['x-scope']
      const path = operation.path.replaceAll(/\{\w+\}/g, '9')
      for (const way of ways) {
        const token = { 'a wrong token': 'freshet_wrong', 'local key': 'local-key' }[way as string]
        const secret = token ?? (way === 'nobody' ? undefined : await tokenFor(ada.id, way as Allowance))
        const { status } = await ask(path, {
          method: operation.method.toUpperCase(),
          ...(secret && { authorization: `Bearer ${secret}` }),
        })
        const has = way === 'local key' ? 'admin' : way === 'nobody' || way === 'a wrong token' ? undefined : way
        if (needed === 'none') expect([401, 403]).not.toContain(status)
        else if (!has) expect([way, status]).toEqual([way, 401])
        else if (!includesAllowance(has, needed)) expect([way, status]).toEqual([way, 403])
        else expect([way, status === 401]).toEqual([way, false])
      }
    },
  )

  test('and what is none, as a list of all feeds, is for who may read', async () => {
    const { ask, tokenFor, bob } = await inhabited()
    expect((await ask('/feeds.opml')).status).toBe(401)
    expect((await ask('/feeds.opml', { authorization: `Bearer ${await tokenFor(bob.id, 'read')}` })).status).toBe(200)
    for (const open of ['/', '/look.js', '/read/all', '/healthz']) expect((await ask(open)).status).toBe(200)
  })
})

describe('without accounts', () => {
  test('nobody has to log in', async () => {
    const { app } = createServerFixture()
    expect(await (await app.request('/api/v1/session')).json()).toEqual({ allows: 'admin' })
    expect((await app.request('/api/v1/people')).status).toBe(200)
  })

  test('the first one may do everything, and from then on everybody logs in', async () => {
    const { app } = createServerFixture()
    const add = (body: object) =>
      app.request('/api/v1/people', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })
    expect((await add({ name: 'ada', password: PASSWORD, allows: 'read' })).status).toBe(409)
    expect(await (await add({ name: 'ada', password: PASSWORD })).json()).toMatchObject({
      name: 'ada',
      allows: 'admin',
    })
    expect((await add({ name: 'bob', password: PASSWORD })).status).toBe(401)
    expect(await (await app.request('/api/v1/session')).json()).toEqual({})
  })
})

describe('a session', () => {
  test('begins with name and password, by a cookie that no script reads, and ends', async () => {
    const { ask, logIn, cookieOf, clock } = await inhabited()
    const response = await logIn('Ada', PASSWORD)
    expect(await response.json()).toMatchObject({ person: { name: 'ada' }, allows: 'admin' })
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

  test('does not begin with the wrong password, nor for who is not there; both sound alike', async () => {
    const { logIn } = await inhabited()
    const [wrong, nobody] = [await logIn('ada', 'wrong horse battery'), await logIn('zoe', PASSWORD)]
    expect([wrong.status, nobody.status]).toEqual([401, 401])
    const told = async (response: Response) => ({ ...((await response.json()) as object), requestId: undefined })
    expect(await told(wrong)).toEqual(await told(nobody))
  })

  test('is slowed for who guesses, also with the right password, and not for others', async () => {
    const { logIn, clock } = await inhabited()
    for (let i = 0; i < 5; i++) expect((await logIn('ada', `wrong ${i} horse`)).status).toBe(401)
    const refused = await logIn('ada', PASSWORD)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await clock.advance(MINUTE)
    expect((await logIn('ada', PASSWORD)).status).toBe(200)
  })

  test('with another password is the only one that goes on', async () => {
    const { ask, logIn, cookieOf, tokenFor, bob } = await inhabited()
    const [here, there] = [cookieOf(await logIn('bob', PASSWORD)), cookieOf(await logIn('bob', PASSWORD))]
    const token = await tokenFor(bob.id, 'read')
    const change = (old: string) =>
      ask('/api/v1/session/password', {
        method: 'PUT',
        cookie: here,
        body: JSON.stringify({ old, new: 'another horse' }),
      })
    expect((await change('wrong horse')).status).toBe(401)
    expect((await change(PASSWORD)).status).toBe(204)
    expect((await ask('/api/v1/feeds', { cookie: here })).status).toBe(200)
    expect((await ask('/api/v1/feeds', { cookie: there })).status).toBe(401)
    expect((await ask('/api/v1/feeds', { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await logIn('bob', 'another horse')).status).toBe(200)
  })
})

describe('a token', () => {
  test('is made by its owner, shown once, used as Bearer or as the password of Basic, and revoked', async () => {
    const { ask, logIn, cookieOf, bob, store } = await inhabited()
    const cookie = cookieOf(await logIn('bob', PASSWORD))
    const path = `/api/v1/people/${bob.id}/tokens`
    const made = await ask(path, { method: 'POST', cookie, body: '{"name": "reader", "allows": "admin"}' })
    const { token, secret } = (await made.json()) as { token: { id: number }; secret: string }
    expect(token).toMatchObject({ name: 'reader', allows: 'write' }) // never more than the person
    for (const authorization of [`Bearer ${secret}`, `Basic ${btoa(`bob:${secret}`)}`])
      expect((await ask('/api/v1/feeds', { authorization })).status).toBe(200)
    const listed = await (await ask(path, { cookie })).text()
    expect(listed).toContain('"usedAt":"2026-03-14')
    expect(listed).not.toContain(secret)
    expect(JSON.stringify(await store.passesOf(bob.id, NOW))).not.toContain(secret)
    expect((await ask(`${path}/${token.id}`, { method: 'DELETE', cookie })).status).toBe(204)
    expect((await ask('/api/v1/feeds', { authorization: `Bearer ${secret}` })).status).toBe(401)
  })

  test('makes no tokens, and nobody sees those of others but an admin', async () => {
    const { ask, tokenFor, logIn, cookieOf, ada, bob } = await inhabited()
    const authorization = `Bearer ${await tokenFor(bob.id, 'write')}`
    const body = '{"name": "more", "allows": "read"}'
    expect((await ask(`/api/v1/people/${bob.id}/tokens`, { method: 'POST', authorization, body })).status).toBe(403)
    const cookie = cookieOf(await logIn('bob', PASSWORD))
    expect((await ask(`/api/v1/people/${ada.id}/tokens`, { cookie })).status).toBe(403)
    const admin = cookieOf(await logIn('ada', PASSWORD))
    expect((await ask(`/api/v1/people/${bob.id}/tokens`, { cookie: admin })).status).toBe(200)
  })

  test('of somebody who is allowed less from now on ends', async () => {
    const { ask, tokenFor, accounts, bob } = await inhabited()
    const authorization = `Bearer ${await tokenFor(bob.id, 'write')}`
    await accounts.change(bob.id, { allows: 'read' })
    expect((await ask('/api/v1/feeds', { authorization })).status).toBe(401)
  })
})

test('who asks too often is told when to come again, and nobody else is', async () => {
  const { ask, tokenFor, bob, clock } = await inhabited()
  const [eager, calm] = [await tokenFor(bob.id, 'read'), await tokenFor(bob.id, 'read')]
  const status = async (secret: string) => (await ask('/api/v1/session', { authorization: `Bearer ${secret}` })).status
  for (let i = 0; i < 500; i++) expect(await status(eager)).toBe(200)
  const refused = await ask('/api/v1/session', { authorization: `Bearer ${eager}` })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await status(calm)).toBe(200)
  await clock.advance(1000)
  expect(await status(eager)).toBe(200)
})

test('two admins who demote each other at once leave one', async () => {
  const { accounts, ada, bob } = await inhabited()
  await accounts.change(bob.id, { allows: 'admin' })
  const demoted = await Promise.allSettled([ada.id, bob.id].map((id) => accounts.change(id, { allows: 'read' })))
  expect(demoted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await accounts.list()).filter(({ allows }) => allows === 'admin')).toHaveLength(1)
})

test('the secret feed of a user demoted to read-only, who cannot revoke it, is not served until they can write again', async () => {
  const { accounts, ask, store, bob } = await inhabited()
  const river = { name: 'all', of: { kind: 'river' }, text: 'full', key: 'freshet_secret', addedAt: 0 } as const
  await store.addFeedOut({ personId: bob.id, ...river })
  const status = async () => (await ask('/feeds/out/freshet_secret.json')).status
  expect(await status()).toBe(200)
  await accounts.change(bob.id, { allows: 'read' })
  expect(await status()).toBe(404)
  await accounts.change(bob.id, { allows: 'write' })
  expect(await status()).toBe(200)
})

test('somebody who may do everything is always left', async () => {
  const { accounts, ada, bob } = await inhabited()
  await expect(accounts.remove(ada.id)).rejects.toThrow(/nobody would be left/)
  await expect(accounts.change(ada.id, { allows: 'write' })).rejects.toThrow(/nobody would be left/)
  await accounts.change(bob.id, { allows: 'admin' })
  await accounts.remove(ada.id)
  expect((await accounts.list()).map(({ name }) => name)).toEqual(['bob'])
})

test('with accounts, any name leads to the server; without, only those of this machine', async () => {
  const headers = { host: 'reader.example' }
  expect((await createServerFixture().app.request('/api/v1/session', { headers })).status).toBe(421)
  expect((await (await inhabited()).app.request('/api/v1/session', { headers })).status).toBe(200)
})

test('where others can reach it, the server asks everybody to log in', async () => {
  const listening = await (await inhabited({ host: '0.0.0.0' })).listen(0)
  expect(listening.setUpUrl).toBeUndefined()
  expect((await fetch(`${listening.url}/api/v1/feeds`)).status).toBe(401)
  await listening.close()
})

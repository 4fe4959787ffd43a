/** Creation of the first account on a server that other machines can reach. */
import { expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { resolveListenAddress } from './listen-address.ts'
import { SET_UP_MS } from './set-up.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const LOGIN = { name: 'ada', password: 'correct horse battery' }

async function fresh() {
  const fixture = createServerFixture({ host: '0.0.0.0', localKey: 'local-key' })
  const { url, setUpUrl, close } = await fixture.listen(0)
  const secret = setUpUrl?.split('#')[1] ?? ''
  const post = (path: string, body: object, headers = {}) =>
    fetch(url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
  return { ...fixture, url, setUpUrl, secret, post, close }
}

test('all requests require a login until it is created, at an address with a secret', async () => {
  const { url, setUpUrl, secret, post, close, store } = await fresh()
  try {
    expect(setUpUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup#freshet_[\w-]{43}$/)
    for (const path of ['/api/v1/feeds', '/api/v1/users', '/feeds.opml', '/metrics'])
      expect((await fetch(url + path)).status).toBe(401)
    expect(await (await fetch(`${url}/api/v1/session`)).json()).toEqual({})
    const page = await fetch(`${url}/setup`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    expect(await (await fetch(`${url}/setup.js`)).text()).toContain('replaceState')
    expect((await post('/api/v1/setup', { ...LOGIN, secret: 'freshet_guessed' })).status).toBe(404)
    expect((await post('/api/v1/setup', { ...LOGIN, password: 'short', secret })).status).toBe(400)
    expect((await post('/api/v1/setup', { ...LOGIN, secret })).status).toBe(201)
    expect((await store.allUsers()).map(({ name, scope }) => [name, scope])).toEqual([['ada', 'admin']])
    expect((await post('/api/v1/setup', { ...LOGIN, name: 'eve', secret })).status).toBe(404)
    expect((await post('/api/v1/session', LOGIN)).status).toBe(200)
  } finally {
    await close()
  }
})

test('only one is created by concurrent requests, and the address expires', async () => {
  const { secret, post, close, clock, store } = await fresh()
  try {
    const names = ['ada', 'bob', 'cem']
    const answers = await Promise.all(names.map((name) => post('/api/v1/setup', { ...LOGIN, name, secret })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404])
    expect(await store.allUsers()).toHaveLength(1)
  } finally {
    await close()
  }
  const late = await fresh()
  try {
    await late.clock.advance(SET_UP_MS)
    expect((await late.post('/api/v1/setup', { ...LOGIN, secret: late.secret })).status).toBe(404)
    const created = await late.post('/api/v1/users', LOGIN, { authorization: 'Bearer local-key' })
    expect(created.status).toBe(201)
  } finally {
    await late.close()
  }
  expect(clock.now()).toBeLessThan(late.clock.now())
})

test.each(['0.0.0.0', '::', '[::]', '0', '192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', 'fe80::1%lo'])(
  '%s is reachable from other machines',
  async (host) => expect(await resolveListenAddress(host)).toMatchObject({ isReachable: true }),
)

test('there is no setup on loopback, or if the login is disabled', async () => {
  const created = await createServerFixture().listen(0)
  expect(created.setUpUrl).toBeUndefined()
  await created.close()
  const open = await createServerFixture({ host: '0.0.0.0', listenWithoutLogin: true }).listen(0)
  expect(open.setUpUrl).toBeUndefined()
  expect((await fetch(`${open.url}/api/v1/feeds`)).status).toBe(200)
  await open.close()
})

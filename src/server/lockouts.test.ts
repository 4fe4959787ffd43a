/** Throttling of failed logins, and warnings about them. */
import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { feverKey, hashPassword } from '../credentials/index.ts'
import { MINUTE } from '../model/index.ts'
import { createAccounts } from './accounts.ts'
import type { ServerWarning } from './index.ts'

const PASSWORD = 'correct horse battery'
/** Hashed once, because hashing is slow. */
const HASH = hashPassword(PASSWORD)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function behindProxy({ isTrusted = true } = {}) {
  const trustProxy = new BlockList()
  if (isTrusted) trustProxy.addAddress('192.0.2.1')
  const warnings: ServerWarning[] = []
  const fixture = createServerFixture({ trustProxy, onWarning: (warning) => warnings.push(warning) })
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const ada = (await fixture.store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: await HASH }))!
  const env = { incoming: { socket: { remoteAddress: '192.0.2.1', remotePort: 1, remoteFamily: 'IPv4' } } }
  const ask = (path: string, from: string, { headers = {}, ...init }: RequestInit & { headers?: object } = {}) => {
    const all = { 'x-forwarded-for': from, ...headers } as Record<string, string>
    return fixture.app.request(`http://localhost${path}`, { ...init, headers: all }, env)
  }
  const logIn = (from: string, password: string, name = 'ada', headers = {}) =>
    ask('/api/v1/session', from, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name, password }),
    })
  const fail = async (from: string, times: number, name = 'ada') => {
    for (let i = 0; i < times; i++) await logIn(from, `wrong horse ${i}`, name)
  }
  return { ...fixture, accounts, ada, ask, logIn, fail, warnings }
}

const [HOME, ELSEWHERE] = ['198.51.100.1', '203.0.113.9']

describe('after many failures', () => {
  test('from elsewhere, the user can still log in', async () => {
    const { fail, logIn } = await behindProxy()
    await fail(ELSEWHERE, 40)
    expect((await logIn(ELSEWHERE, PASSWORD)).status).toBe(429)
    expect((await logIn(HOME, PASSWORD)).status).toBe(200)
  })

  test('from the same address, only devices that are logged in are not locked out', async () => {
    const { fail, logIn, ask } = await behindProxy()
    const cookie = (await logIn(HOME, PASSWORD)).headers.get('set-cookie')?.split(';')[0] ?? ''
    await fail(HOME, 40)
    expect((await logIn(HOME, PASSWORD)).status).toBe(429)
    const again = await logIn(HOME, PASSWORD, 'ada', { cookie })
    expect(again.status).toBe(200)
    const replaced = again.headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { 'content-type': 'application/json', cookie: replaced }
    const body = JSON.stringify({ old: PASSWORD, new: 'another horse battery' })
    expect((await ask('/api/v1/session/password', HOME, { method: 'PUT', headers, body })).status).toBe(204)
  })

  test('for other names, an address has a limit that success does not reset', async () => {
    const { fail, logIn, clock, store } = await behindProxy()
    await store.addUser({ name: 'eve', scope: 'read', addedAt: 0, password: await HASH })
    for (let i = 0; i < 29; i++) await fail(HOME, 1, `name${i}`)
    expect((await logIn(HOME, PASSWORD, 'eve')).status).toBe(200)
    await fail(HOME, 1, 'name30')
    expect((await logIn(HOME, PASSWORD)).status).toBe(429)
    await clock.advance(MINUTE)
    expect((await logIn(HOME, PASSWORD)).status).toBe(200)
  })

  test('of a revoked token, its user and other programs still log in from the same address', async () => {
    const { ask, logIn, accounts, ada } = await behindProxy()
    const fever = await accounts.addToken(ada, { name: 'f', scope: 'read', for: 'fever' })
    const { token, secret } = await accounts.addToken(ada, { name: 't', scope: 'read' })
    await accounts.revokeToken(ada, token.id)
    const phone = (own: string) => ask('/v1/me', HOME, { headers: { 'x-auth-token': own } })
    for (let i = 0; i < 9; i++) await phone(secret)
    expect((await phone(secret)).status).toBe(429)
    expect((await phone('freshet_another')).status).toBe(401)
    expect((await logIn(HOME, PASSWORD)).status).toBe(200)
    const init = { method: 'POST', headers: FORM, body: `api_key=${feverKey('ada', fever.secret)}` }
    expect(await (await ask('/fever/?api', HOME, init)).json()).toMatchObject({ auth: 1 })
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
    ['2001:0db8:1:2::1', '2001:db8:0001:2:1:2:3:4', 429],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', 200],
    ['::1', '::2', 429],
  ])('from %s, a login from %s gets %i: IPv6 addresses count by /64', async (first, other, status) => {
    const { fail, logIn } = await behindProxy()
    await fail(first, 5)
    expect((await logIn(other, PASSWORD)).status).toBe(status)
  })
})

describe('the log', () => {
  test('has failed logins with address and account, at most once a minute, without secrets', async () => {
    const { fail, logIn, ask, warnings, clock } = await behindProxy()
    await fail(ELSEWHERE, 4)
    await logIn(HOME, PASSWORD, 'my-secret-typed-as-name')
    await ask('/api/v1/feeds', HOME, { headers: { authorization: 'Bearer freshet_very-secret' } })
    await ask('/v1/me', '203.0.113.10', { headers: { 'x-auth-token': 'freshet_very-secret' } })
    await clock.advance(2 * MINUTE)
    await fail(ELSEWHERE, 1)
    expect(warnings).toEqual([
      { kind: 'failed-login', by: 'password', client: ELSEWHERE, name: 'ada', failures: 1 },
      { kind: 'failed-login', by: 'password', client: HOME, failures: 1 },
      { kind: 'failed-login', by: 'token', client: HOME, failures: 1 },
      { kind: 'failed-login', by: 'token', client: '203.0.113.10', failures: 1 },
      { kind: 'failed-login', by: 'password', client: ELSEWHERE, name: 'ada', failures: 4 },
    ])
    expect(JSON.stringify(warnings)).not.toMatch(/secret|horse/)
  })

  test('warns once about an untrusted proxy', async () => {
    const untrusted = await behindProxy({ isTrusted: false })
    for (let i = 0; i < 3; i++) await untrusted.ask('/healthz', HOME)
    expect(untrusted.warnings).toEqual([{ kind: 'untrusted-proxy', peer: '192.0.2.1' }])
    const trusted = await behindProxy()
    await trusted.ask('/healthz', HOME)
    expect(trusted.warnings).toEqual([])
  })
})

/** Who has to wait after failed logins, who does not, and what the log says of it. */
import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { feverKey, hashPassword } from '../credentials/index.ts'
import { MINUTE } from '../model/index.ts'
import { createAccounts } from './accounts.ts'
import type { ServerWarning } from './index.ts'

const PASSWORD = 'correct horse battery'
/** Made once: hashing is slow on purpose. */
const HASH = hashPassword(PASSWORD)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function behindProxy({ isTrusted = true } = {}) {
  const trustProxy = new BlockList()
  if (isTrusted) trustProxy.addAddress('192.0.2.1')
  const warnings: ServerWarning[] = []
  const stage = createServerFixture({ trustProxy, onWarning: (warning) => warnings.push(warning) })
  const accounts = createAccounts({ people: stage.store, clock: stage.clock })
  const ada = (await stage.store.addPerson({ name: 'ada', allows: 'admin', addedAt: 0, password: await HASH }))!
  const env = { incoming: { socket: { remoteAddress: '192.0.2.1', remotePort: 1, remoteFamily: 'IPv4' } } }
  const ask = (path: string, from: string, { headers = {}, ...init }: RequestInit & { headers?: object } = {}) => {
    const all = { 'x-forwarded-for': from, ...headers } as Record<string, string>
    return stage.app.request(`http://localhost${path}`, { ...init, headers: all }, env)
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
  return { ...stage, accounts, ada, ask, logIn, fail, warnings }
}

const [HOME, ELSEWHERE] = ['198.51.100.1', '203.0.113.9']

describe('after many failures', () => {
  test('from elsewhere, the owner of the name logs in as ever', async () => {
    const { fail, logIn } = await behindProxy()
    await fail(ELSEWHERE, 40)
    expect((await logIn(ELSEWHERE, PASSWORD)).status).toBe(429)
    expect((await logIn(HOME, PASSWORD)).status).toBe(200)
  })

  test('from the same address, a device that is logged in is not locked out, and others of the address are', async () => {
    const { fail, logIn, ask } = await behindProxy()
    const cookie = (await logIn(HOME, PASSWORD)).headers.get('set-cookie')?.split(';')[0] ?? ''
    await fail(HOME, 40)
    expect((await logIn(HOME, PASSWORD)).status).toBe(429)
    expect((await logIn(HOME, PASSWORD, 'ada', { cookie })).status).toBe(200)
    const headers = { 'content-type': 'application/json', cookie }
    const body = JSON.stringify({ old: PASSWORD, new: 'another horse battery' })
    expect((await ask('/api/v1/session/password', HOME, { method: 'PUT', headers, body })).status).toBe(204)
  })

  test('for other names, some patience is left for an address, and success does not renew it', async () => {
    const { fail, logIn, clock, store } = await behindProxy()
    await store.addPerson({ name: 'eve', allows: 'read', addedAt: 0, password: await HASH })
    for (let i = 0; i < 29; i++) await fail(HOME, 1, `name${i}`)
    expect((await logIn(HOME, PASSWORD, 'eve')).status).toBe(200)
    await fail(HOME, 1, 'name30')
    expect((await logIn(HOME, PASSWORD)).status).toBe(429)
    await clock.advance(MINUTE)
    expect((await logIn(HOME, PASSWORD)).status).toBe(200)
  })

  test('of a phone with a revoked token, its owner logs in from the same address, and so do other programs', async () => {
    const { ask, logIn, accounts, ada } = await behindProxy()
    const fever = await accounts.addToken(ada, { name: 'f', allows: 'read', for: 'fever' })
    const { token, secret } = await accounts.addToken(ada, { name: 't', allows: 'read' })
    await accounts.revoke(ada, token.id)
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
  ])('from %s, one from %s has %i: IPv6 counts by /64', async (one, other, status) => {
    const { fail, logIn } = await behindProxy()
    await fail(one, 5)
    expect((await logIn(other, PASSWORD)).status).toBe(status)
  })
})

describe('the log', () => {
  test('has failed logins with address and account, once a minute, and no secret', async () => {
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

  test('warns once where a proxy does not seem to be trusted', async () => {
    const untrusted = await behindProxy({ isTrusted: false })
    for (let i = 0; i < 3; i++) await untrusted.ask('/healthz', HOME)
    expect(untrusted.warnings).toEqual([{ kind: 'untrusted-proxy', peer: '192.0.2.1' }])
    const trusted = await behindProxy()
    await trusted.ask('/healthz', HOME)
    expect(trusted.warnings).toEqual([])
  })
})

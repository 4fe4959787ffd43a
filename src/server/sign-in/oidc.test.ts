/** Signing in through a real OpenID Connect provider. */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, type ProviderUser, startOidcProvider } from '../../../test/oidc-provider.ts'
import { createServerFixture } from '../../../test/server-fixture.ts'
import { hashPassword } from '../../credentials/index.ts'
import { type AccessScope, MINUTE } from '../../model/index.ts'
import type { ServerWarning } from '../warnings.ts'
import type { OidcSettings, SignInSettings } from './settings.ts'

const PASSWORD = 'correct horse battery'
const HASH = hashPassword(PASSWORD)
const REDIRECT_URI = 'https://news.example/sign-in'
const CAROL: ProviderUser = { sub: 'c-1', preferred_username: 'carol', groups: ['family'] }

let provider: Awaited<ReturnType<typeof startOidcProvider>>
beforeAll(async () => {
  provider = await startOidcProvider(REDIRECT_URI)
})
afterAll(() => provider.close())

async function createScene(more: Partial<OidcSettings> = {}, settings: Partial<SignInSettings> = {}, isEmpty = false) {
  const warnings: ServerWarning[] = []
  const oidc: OidcSettings = {
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    scopes: 'openid profile email',
    label: 'Test',
    groupsClaim: 'groups',
    linkBy: 'none',
    isOnly: false,
    ...more,
  }
  const fixture = createServerFixture({
    publicUrl: 'https://news.example',
    onWarning: (warning) => warnings.push(warning),
    signIn: { oidc, provisionUsers: true, groupRoles: [], ...settings },
  })
  const add = async (name: string, scope: AccessScope) =>
    fixture.store.addUser({ name, scope, addedAt: 0, password: await HASH })
  if (!isEmpty) await add('ada', 'admin')
  const send = async (path: string, body?: object, cookie = '') => {
    const response = await fixture.app.request(`https://news.example/api/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', cookie },
      ...(body && { body: JSON.stringify(body) }),
    })
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    return { status: response.status, json: (await response.json()) as Record<string, never>, cookies, response }
  }
  const start = async (more: object = {}, cookie = '') => {
    const { json, cookies } = await send('sign-in/oidc', { returnTo: '/read/starred', ...more }, cookie)
    return { url: new URL(json.url ?? 'about:blank'), cookie: cookies[0] ?? '' }
  }
  const finish = (answer: string, cookie: string) => send('sign-in/oidc/answer', { answer }, cookie)
  /** The whole way, with what goes wrong in between. */
  const signIn = async (user: ProviderUser, change: (url: URL) => void = () => {}) => {
    provider.signsIn(user)
    const { url, cookie } = await start()
    change(url)
    return finish(await provider.browse(url.href), cookie)
  }
  const logIn = async (name: string) => (await send('session', { name, password: PASSWORD })).cookies[0] ?? ''
  return { ...fixture, add, send, start, finish, signIn, logIn, warnings }
}

describe('a user of the provider', () => {
  test('gets an account at the first sign-in and the same one later, and returns to the page', async () => {
    const { signIn, send, store } = await createScene()
    const { status, json, cookies, response } = await signIn(CAROL)
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json).toMatchObject({ session: { user: { name: 'carol' }, scope: 'write' }, returnTo: '/read/starred' })
    expect(response.headers.getSetCookie().join('\n')).toMatch(/freshet_session=.*; HttpOnly; Secure; SameSite=Strict/)
    const session = await send('session', undefined, cookies.at(-1))
    expect(session.json).toMatchObject({ user: { name: 'carol' }, method: 'oidc' })
    expect((await signIn({ ...CAROL, preferred_username: 'renamed' })).json).toMatchObject({
      session: { user: { name: 'carol' } },
    })
    expect(await store.allUsers()).toHaveLength(2)
  })

  test('gets none if accounts are not created, or if the name is taken', async () => {
    const { signIn } = await createScene({}, { provisionUsers: false })
    expect((await signIn(CAROL)).status).toBe(403)
    const other = await createScene()
    expect((await other.signIn({ sub: 'x', preferred_username: 'ADA' })).status).toBe(409)
  })

  test('has the access of their groups, at each sign-in', async () => {
    const groupRoles = [
      { group: 'family', scope: 'read' },
      { group: 'admins', scope: 'admin' },
    ] as const
    const { signIn } = await createScene({}, { groupRoles })
    expect((await signIn(CAROL)).json).toMatchObject({ session: { scope: 'read' } })
    expect((await signIn({ ...CAROL, groups: ['admins'] })).json).toMatchObject({ session: { scope: 'admin' } })
    expect((await signIn({ ...CAROL, groups: ['family'] })).json).toMatchObject({ session: { scope: 'read' } })
    expect((await signIn({ ...CAROL, groups: [] })).status).toBe(403)
  })

  test('cannot become the first account unless a group makes them an admin', async () => {
    const open = await createScene({}, {}, true)
    expect((await open.signIn(CAROL)).status).toBe(403)
    expect((await open.send('feeds')).status).toBe(401) // even without accounts
    const groupRoles = [{ group: 'family', scope: 'admin' }] as const
    const { signIn } = await createScene({}, { groupRoles }, true)
    expect((await signIn(CAROL)).json).toMatchObject({ session: { scope: 'admin' } })
  })
})

describe('an account that exists', () => {
  test('is linked by a user who is signed in, and then signs in', async () => {
    const { logIn, start, finish, signIn, send, clock } = await createScene()
    const session = await logIn('ada')
    provider.signsIn(CAROL)
    const { url, cookie } = await start({ link: true }, session)
    const answer = await provider.browse(url.href)
    expect((await finish(answer, `${cookie}; ${session}`)).json).toMatchObject({ session: { user: { name: 'ada' } } })
    expect((await signIn(CAROL)).json).toMatchObject({ session: { user: { name: 'ada' } } })
    const { json: account } = await send('account', undefined, session)
    expect(account).toMatchObject({ hasPassword: true, identities: [{ name: 'carol' }] })
    await clock.advance(16 * MINUTE)
    const late = await send('sign-in/oidc', { link: true }, session)
    expect([late.status, late.json]).toMatchObject([403, { needs: 'sign-in' }])
  })

  test('is not linked if another user has signed in meanwhile, or if it belongs to another', async () => {
    const { add, logIn, start, finish, signIn } = await createScene()
    await add('bob', 'write')
    const [ada, bob] = [await logIn('ada'), await logIn('bob')]
    await signIn(CAROL)
    const { url, cookie } = await start({ link: true }, ada)
    const answer = await provider.browse(url.href)
    expect((await finish(answer, `${cookie}; ${bob}`)).status).toBe(403)
    const again = await start({ link: true }, ada)
    expect((await finish(await provider.browse(again.url.href), `${again.cookie}; ${ada}`)).status).toBe(409)
  })

  test.each([
    ['none', { sub: '1', preferred_username: 'ada', email: 'ada', email_verified: true }, 409],
    ['username', { sub: '1', preferred_username: 'Ada' }, 200],
    ['email', { sub: '1', preferred_username: 'ada@mail.example', email: 'ada', email_verified: true }, 200],
    ['email', { sub: '1', preferred_username: 'ada', email: 'ada', email_verified: false }, 409],
  ] as const)('is linked by %s with the claims %j: %i', async (linkBy, user, status) => {
    const { signIn } = await createScene({ linkBy })
    const result = await signIn(user)
    expect(result.status).toBe(status)
    if (status === 200) {
      expect(result.json).toMatchObject({ session: { user: { name: 'ada' } } })
      // Another person with the same claim does not get the account of the first.
      expect((await signIn({ ...user, sub: '2' })).json).not.toMatchObject({ session: { user: { name: 'ada' } } })
    }
  })
})

describe('a sign-in is refused', () => {
  test.each([
    ['a nonce of another sign-in', (url: URL) => url.searchParams.set('nonce', 'other')],
    ['a state of another sign-in', (url: URL) => url.searchParams.set('state', 'other')],
    ['a PKCE challenge of another sign-in', (url: URL) => url.searchParams.set('code_challenge', 'a'.repeat(43))],
  ])('with %s', async (_, change) => {
    const { signIn, store } = await createScene()
    expect((await signIn(CAROL, change)).status).toBe(403)
    expect(await store.allUsers()).toHaveLength(1)
  })

  test('with another issuer, once it was used, without the cookie, and too late', async () => {
    const { start, finish, clock, warnings } = await createScene()
    provider.signsIn(CAROL)
    const begin = async () => {
      const { url, cookie } = await start()
      return { answer: await provider.browse(url.href), cookie }
    }
    const forged = await begin()
    const answer = new URLSearchParams(forged.answer)
    answer.set('iss', 'https://evil.example')
    expect((await finish(String(answer), forged.cookie)).status).toBe(403)
    const used = await begin()
    expect((await finish(used.answer, '')).status).toBe(403)
    expect((await finish(used.answer, used.cookie)).status).toBe(200)
    expect((await finish(used.answer, used.cookie)).status).toBe(403)
    const late = await begin()
    await clock.advance(11 * MINUTE)
    expect((await finish(late.answer, late.cookie)).status).toBe(403)
    expect(warnings.filter(({ kind }) => kind === 'oidc').length).toBeGreaterThan(0)
    for (const secret of [CLIENT_SECRET, used.answer]) expect(JSON.stringify(warnings)).not.toContain(secret)
  })

  test('when the user cancels, with the reason of the provider', async () => {
    const { start, finish } = await createScene()
    const { url, cookie } = await start()
    const query = new URLSearchParams({
      error: 'access_denied',
      state: url.searchParams.get('state') ?? '',
      iss: provider.issuer,
    })
    const { status, json } = await finish(String(query), cookie)
    expect(status).toBe(403)
    expect(json.title).toMatch(/access_denied/)
  })

  test('by a provider that calls itself something else', async () => {
    const { send } = await createScene({ issuer: provider.issuer.replace('127.0.0.1', 'localhost') })
    expect((await send('sign-in/oidc', {})).status).toBe(403)
  })
})

test('while the provider is down, everything else works, and the next attempt tries again', async () => {
  const down = await startOidcProvider(REDIRECT_URI)
  await down.close()
  const { send, logIn } = await createScene({ issuer: down.issuer })
  const { status, response } = await send('sign-in/oidc', {})
  expect([status, response.headers.get('retry-after')]).toEqual([503, '10'])
  expect((await send('feeds', undefined, await logIn('ada'))).status).toBe(200)
})

test('a provider that sends too much is not read to its end', async () => {
  let sent = 0
  const endless = createHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    const chunk = ' '.repeat(100_000)
    const send = () => {
      for (let hasRoom = true; hasRoom && !response.destroyed && sent < 100_000_000; sent += chunk.length)
        hasRoom = response.write(chunk)
    }
    response.on('drain', send)
    send()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const { send } = await createScene({ issuer: `http://127.0.0.1:${(endless.address() as AddressInfo).port}` })
  expect((await send('sign-in/oidc', {})).status).toBe(503)
  expect(sent).toBeLessThan(20_000_000)
  endless.closeAllConnections()
  endless.close()
})

test('passwords can be turned off, also for programs and feed readers', async () => {
  const { send, app, signIn } = await createScene({ isOnly: true })
  expect((await send('session', { name: 'ada', password: PASSWORD })).status).toBe(403)
  expect((await send('session/token', { name: 'ada', password: PASSWORD, token: 'x' })).status).toBe(403)
  const authorization = `Basic ${btoa(`ada:${PASSWORD}`)}`
  expect((await app.request('https://news.example/v1/me', { headers: { authorization } })).status).toBe(403)
  expect((await send('sign-in')).json).toEqual({ hasPasswords: false, hasPasskeys: false, oidc: { label: 'Test' } })
  expect((await signIn(CAROL)).status).toBe(200)
})

test('an account without a password keeps its last linked account; one with a password can unlink it', async () => {
  const { signIn, send, app } = await createScene({ linkBy: 'username' })
  const unlink = async (user: ProviderUser) => {
    const cookie = (await signIn(user)).cookies.at(-1) ?? ''
    const { identities } = (await send('account', undefined, cookie)).json as unknown as {
      identities: { id: number }[]
    }
    const path = `https://news.example/api/v1/account/identities/${identities[0]?.id}`
    const headers = { cookie, 'content-type': 'application/json' }
    return (await app.request(path, { method: 'DELETE', headers })).status
  }
  expect(await unlink(CAROL)).toBe(409)
  expect(await unlink({ sub: 'a', preferred_username: 'ada' })).toBe(204)
})

test('a user links at most twenty accounts', async () => {
  const { store, logIn, start, finish } = await createScene()
  const [ada] = await store.allUsers()
  for (let i = 0; i < 20; i++) {
    const identity = { userId: ada!.id, kind: 'identity', name: `${i}`, scope: 'read', addedAt: 0 } as const
    await store.addCredential(identity, new Uint8Array(32).fill(i))
  }
  const session = await logIn('ada')
  provider.signsIn(CAROL)
  const { url, cookie } = await start({ link: true }, session)
  expect((await finish(await provider.browse(url.href), `${cookie}; ${session}`)).status).toBe(409)
})

test('logging out leads to the provider, and back to the page', async () => {
  const { send } = await createScene()
  const { json } = await send('sign-in/oidc/logout', {})
  const url = new URL(json.url ?? '')
  expect(url.origin).toBe(provider.issuer)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe('https://news.example/')
})

/** The second factor of password logins. */
import { expect, test } from 'vitest'
import { createServerFixture } from '../../../test/server-fixture.ts'
import { hashPassword } from '../../credentials/index.ts'
import { TOTP_STEP_MS, totpCode } from '../../credentials/totp.ts'
import { MINUTE, type UserId } from '../../model/index.ts'
import { createSecretCipher } from '../../stores/encrypted/cipher.ts'
import { withEncryption } from '../../stores/encrypted/index.ts'
import { createAccounts } from '../accounts.ts'
import type { ServerWarning } from '../warnings.ts'
import { createSecondFactors } from './second-factor.ts'

const PASSWORD = 'correct horse battery'
const HASH = hashPassword(PASSWORD)

async function createScene() {
  const warnings: ServerWarning[] = []
  const fixture = createServerFixture({ onWarning: (warning) => warnings.push(warning) })
  const { store, clock, app } = fixture
  const ada = (await store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: await HASH })) as UserId
  const accounts = createAccounts({ users: store, clock })
  const ask = async (
    method: string,
    path: string,
    { body, ...headers }: { body?: object; cookie?: string; authorization?: string } = {},
  ) => {
    const init = {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }
    const response = await app.request(`http://localhost/${path}`, init)
    const text = await response.text()
    const json = (text && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}) as Record<
      string,
      never
    >
    return { status: response.status, json, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const logIn = (code?: string, cookie = '') =>
    ask('POST', 'api/v1/session', {
      body: { name: 'ada', password: PASSWORD, ...(code !== undefined && { code }) },
      cookie,
    })
  const codeAt = (secret: string, around = 0) => totpCode(secret, Math.floor(clock.now() / TOTP_STEP_MS) + around)
  /** Adds the second factor; the clock goes on, so the code is not the current one. */
  async function enroll() {
    const { cookie } = await logIn()
    const { json } = await ask('POST', 'api/v1/account/second-factor', { cookie })
    const secret = String(json.secret)
    const body = { code: codeAt(secret) }
    const confirmed = await ask('POST', 'api/v1/account/second-factor/confirmation', { cookie, body })
    await clock.advance(MINUTE)
    return {
      cookie,
      secret,
      address: String(json.address),
      recoveryCodes: (confirmed.json.recoveryCodes ?? []) as string[],
    }
  }
  return { ...fixture, ada, accounts, ask, logIn, codeAt, enroll, warnings }
}

test('is added with a first code, and logins then need a code, each once', async () => {
  const { ask, logIn, enroll, codeAt, clock } = await createScene()
  const { cookie: elsewhere } = await logIn()
  const { cookie, secret, address, recoveryCodes } = await enroll()
  expect(address).toBe(`otpauth://totp/Freshet%20(localhost):ada?secret=${secret}&issuer=Freshet%20(localhost)`)
  expect(recoveryCodes).toHaveLength(10)
  expect((await ask('GET', 'api/v1/feeds', { cookie: elsewhere })).status).toBe(401) // signed in without it
  const missing = await logIn()
  expect([missing.status, missing.json]).toMatchObject([401, { needs: 'code' }])
  const code = codeAt(secret)
  const results = await Promise.all([logIn(code), logIn(code)])
  expect(results.map(({ status }) => status).sort()).toEqual([200, 401])
  await clock.advance(TOTP_STEP_MS)
  expect((await logIn(code)).status).toBe(401)
  expect((await logIn(codeAt(secret, 1))).status).toBe(200)
  expect((await ask('GET', 'api/v1/account', { cookie })).json).toMatchObject({ secondFactor: { recoveryCodes: 10 } })
  expect((await ask('GET', 'api/v1/users', { cookie })).json).toMatchObject({ users: [{ hasSecondFactor: true }] })
})

test('is not added with a wrong code, too late, or twice', async () => {
  const { ask, logIn, enroll, codeAt, clock } = await createScene()
  const { cookie } = await logIn()
  const { json } = await ask('POST', 'api/v1/account/second-factor', { cookie })
  const confirm = (code: string, session = cookie) =>
    ask('POST', 'api/v1/account/second-factor/confirmation', { cookie: session, body: { code } })
  expect((await confirm('000000')).status).toBe(400)
  expect((await logIn()).status).toBe(200)
  await clock.advance(16 * MINUTE)
  const again = (await logIn()).cookie
  expect((await confirm(codeAt(String(json.secret)), again)).status).toBe(409)
  const enrolled = await enroll()
  expect((await ask('POST', 'api/v1/account/second-factor', { cookie: enrolled.cookie })).status).toBe(409)
})

test('recovery codes are valid once', async () => {
  const { logIn, enroll, ask } = await createScene()
  const { cookie, recoveryCodes } = await enroll()
  const [first = '', second = '', third = ''] = recoveryCodes
  const results = await Promise.all([logIn(first), logIn(first.toUpperCase())])
  expect(results.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await Promise.all([logIn(second), logIn(third)])).map(({ status }) => status)).toEqual([200, 200])
  expect((await ask('GET', 'api/v1/account', { cookie })).json).toMatchObject({ secondFactor: { recoveryCodes: 7 } })
  expect((await logIn('abcd-efgh-jkmn-pqrs')).status).toBe(401)
})

test('guesses of codes are limited, also if the password is correct each time', async () => {
  const { logIn, enroll, codeAt, clock, warnings } = await createScene()
  const { secret } = await enroll()
  for (let i = 0; i < 5; i++) expect((await logIn('000000')).status).toBe(401)
  expect((await logIn(codeAt(secret))).status).toBe(429)
  await clock.advance(MINUTE)
  expect((await logIn(codeAt(secret))).status).toBe(200)
  expect(warnings).toContainEqual({ kind: 'failed-login', by: 'code', client: 'unknown', name: 'ada', failures: 1 })
  expect(JSON.stringify(warnings)).not.toContain(secret)
})

test('tokens and feed readers are unaffected, but a password alone manages no accounts', async () => {
  const { ask, enroll, codeAt, accounts, ada } = await createScene()
  const basic = `Basic ${btoa(`ada:${PASSWORD}`)}`
  expect((await ask('GET', 'v1/users', { authorization: basic })).status).toBe(200)
  const { secret: token } = await accounts.addToken(ada, { name: 'program', scope: 'admin' })
  const { secret } = await enroll()
  expect((await ask('GET', 'api/v1/feeds', { authorization: `Bearer ${token}` })).status).toBe(200)
  expect((await ask('GET', 'v1/feeds', { authorization: basic })).status).toBe(200)
  for (const [method, path] of [
    ['GET', 'v1/users'],
    ['POST', 'v1/api-keys'],
  ] as const)
    expect(
      (await ask(method, path, { authorization: basic, ...(method === 'POST' && { body: { description: 'x' } }) }))
        .status,
    ).toBe(403)
  const login = { name: 'ada', password: PASSWORD, token: 'cli' }
  expect((await ask('POST', 'api/v1/session/token', { body: login })).json).toMatchObject({ needs: 'code' })
  expect((await ask('POST', 'api/v1/session/token', { body: { ...login, code: codeAt(secret) } })).status).toBe(201)
})

test('is removed after a recent sign-in, or by an admin', async () => {
  const { ask, logIn, enroll, codeAt, clock, ada } = await createScene()
  const { cookie, secret } = await enroll()
  await clock.advance(16 * MINUTE)
  const remove = (session: string) => ask('DELETE', 'api/v1/account/second-factor', { cookie: session })
  expect((await remove(cookie)).json).toMatchObject({ status: 403, needs: 'sign-in' })
  const again = await logIn(codeAt(secret), cookie)
  expect((await remove(again.cookie)).status).toBe(204)
  expect((await remove(again.cookie)).status).toBe(404)
  expect((await logIn()).status).toBe(200)
  const { cookie: third } = await enroll()
  expect((await ask('DELETE', `api/v1/users/${ada}/second-factor`, { cookie: third })).status).toBe(204)
  expect((await logIn()).status).toBe(200)
})

test('the secret is stored encrypted, and without its key no code is valid', async () => {
  const { store, clock } = createServerFixture()
  const id = (await store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: '' })) as UserId
  const user = { id, name: 'ada', scope: 'admin', addedAt: 0 } as const
  const encryptedWith = (key: number) => withEncryption(store, createSecretCipher(new Uint8Array(32).fill(key)))
  const [factors, lost] = [encryptedWith(7), encryptedWith(8)].map((userValues) =>
    createSecondFactors({ users: store, userValues, clock }),
  )
  const codeNow = (secret: string) => totpCode(secret, Math.floor(clock.now() / TOTP_STEP_MS))
  const { secret } = await factors!.begin(user, 'Freshet')
  const [recoveryCode = ''] = await factors!.confirm(id, codeNow(secret))
  expect(JSON.stringify(await store.userValues(id, 'secondFactor', { limit: 9 }))).not.toContain(secret)
  await clock.advance(MINUTE)
  expect(await lost!.status(id)).toMatchObject({ recoveryCodes: 0 })
  for (const code of [codeNow(secret), codeNow(''), recoveryCode]) expect(await lost!.accepts(id, code)).toBe(false)
  expect(await factors!.accepts(id, codeNow(secret))).toBe(true)
})

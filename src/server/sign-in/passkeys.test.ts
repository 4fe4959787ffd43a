/** Passkeys, as far as no authenticator is needed: test/e2e/account.test.ts has one. */
import { expect, test } from 'vitest'
import { createServerFixture } from '../../../test/server-fixture.ts'
import { hashPassword } from '../../credentials/index.ts'
import { MINUTE, type UserId } from '../../model/index.ts'
import { relyingPartyAt } from './passkeys.ts'

const PASSWORD = 'correct horse battery'
const HASH = hashPassword(PASSWORD)

test.each([
  ['https://news.example.org/below', { id: 'news.example.org', origin: 'https://news.example.org' }],
  ['https://news.example.org:8443', { id: 'news.example.org', origin: 'https://news.example.org:8443' }],
  ['http://localhost:4040', { id: 'localhost', origin: 'http://localhost:4040' }],
  ['http://news.localhost', { id: 'news.localhost', origin: 'http://news.localhost' }],
  ['http://news.example.org', undefined],
  ['http://127.0.0.1:4040', undefined],
  ['https://192.0.2.1', undefined],
  ['https://[2001:db8::1]', undefined],
])('the relying party at %s is %j', (base, expected) => {
  expect(relyingPartyAt(base)).toEqual(expected)
})

async function createScene() {
  const fixture = createServerFixture()
  const { store, app } = fixture
  const ada = (await store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: await HASH })) as UserId
  const ask = async (path: string, cookie: string, body: object = {}, origin = 'http://localhost') => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(body) }
    const response = await app.request(`${origin}/api/v1/${path}`, init)
    return { status: response.status, response, text: await response.text() }
  }
  const { response } = await ask('session', '', { name: 'ada', password: PASSWORD })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ...fixture, ada, ask, cookie }
}

test('a user has at most twenty passkeys', async () => {
  const { store, ada, ask, cookie } = await createScene()
  const value = { publicKey: '', counter: 0, transports: [], name: 'x', addedAt: 0 }
  const passkeys = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `key-${i}`, value }))
  await store.putUserValues(ada, 'passkey', passkeys(19), 0)
  expect((await ask('account/passkeys/options', cookie)).status).toBe(200)
  await store.putUserValues(ada, 'passkey', passkeys(20), 0)
  expect((await ask('account/passkeys/options', cookie)).status).toBe(409)
})

test('options ask for verified users and for credentials that need no name, and name the user by number', async () => {
  const { ask, cookie, ada } = await createScene()
  const { options } = JSON.parse((await ask('account/passkeys/options', cookie)).text)
  expect(options).toMatchObject({
    rp: { id: 'localhost' },
    user: { id: Buffer.from(String(ada)).toString('base64url'), name: 'ada' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const signIn = JSON.parse((await ask('sign-in/passkey/options', '')).text)
  expect(signIn.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(signIn.options.allowCredentials ?? []).toEqual([]) // does not show who has passkeys
})

test('they need a recent sign-in to change, and an address at which browsers support them', async () => {
  const { ask, cookie, clock } = await createScene()
  expect((await ask('sign-in/passkey/options', '', {}, 'http://127.0.0.1')).status).toBe(409)
  await clock.advance(16 * MINUTE)
  expect((await ask('account/passkeys/options', cookie)).text).toContain('"needs":"sign-in"')
})

test('answers that no authenticator has given are refused', async () => {
  const { ask, ada } = await createScene()
  const bytes = (text: string) => Buffer.from(text).toString('base64url')
  const credential = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: { clientDataJSON: bytes('{}'), userHandle: bytes(String(ada)) },
    clientExtensionResults: {},
  }
  expect((await ask('sign-in/passkey', '', { credential })).status).toBe(403)
  expect((await ask('sign-in/passkey', '', { credential: { id: 'AAAA' } })).status).toBe(400)
})

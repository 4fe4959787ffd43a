/** Every kind of credential at every entry point: each is valid only where it should be. */
import { expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { feverKey, feverSecret, hashOfSecret, hashPassword, newSecret } from '../credentials/index.ts'
import { type AccessScope, DAY } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

const PASSWORD = 'correct horse battery'
/** Hashed once, because hashing is slow. */
const HASH = hashPassword(PASSWORD)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const basic = (secret: string) => ({
  authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`,
})

/** The request with a secret at each entry point. */
const ENTRY_POINTS = {
  'API, Bearer': (secret) => ['/api/v1/users', { authorization: `Bearer ${secret}` }],
  'API, Basic': (secret) => ['/api/v1/users', basic(secret)],
  'API, cookie': (secret) => ['/api/v1/users', { cookie: `freshet_session=${encodeURIComponent(secret)}` }],
  'list of feeds': (secret) => ['/feeds.opml', { authorization: `Bearer ${secret}` }],
  metrics: (secret) => ['/metrics', basic(secret)],
  'Miniflux, X-Auth-Token': (secret) => ['/v1/me', { 'x-auth-token': secret }],
  'Miniflux, Bearer': (secret) => ['/v1/me', { authorization: `Bearer ${secret}` }],
  'Miniflux, Basic': (secret) => ['/v1/me', basic(secret)],
  'Google Reader': (secret) => ['/reader/api/0/user-info', { authorization: `GoogleLogin auth=${secret}` }],
  'Google Reader, Bearer': (secret) => ['/reader/api/0/user-info', { authorization: `Bearer ${secret}` }],
  'Google Reader, log in': (secret) => [
    '/accounts/ClientLogin',
    FORM,
    `Email=ada&Passwd=${encodeURIComponent(secret)}`,
  ],
  'our log in': (secret) => [
    '/api/v1/session',
    { 'content-type': 'application/json' },
    JSON.stringify({ name: 'ada', password: secret }),
  ],
  Fever: (secret) => ['/fever/?api', FORM, `api_key=${encodeURIComponent(secret.replace('fever ', ''))}`],
  'secret feed': (secret) => [`/feeds/out/${encodeURIComponent(secret)}.json`, {}],
} satisfies Record<string, (secret: string) => [path: string, headers: Record<string, string>, body?: string]>

type EntryPoint = keyof typeof ENTRY_POINTS

/** Where each kind is accepted. */
const OPENS: Record<string, EntryPoint[]> = {
  token: [
    'API, Bearer',
    'API, Basic',
    'list of feeds',
    'metrics',
    'Miniflux, X-Auth-Token',
    'Miniflux, Bearer',
    'Miniflux, Basic',
    'Google Reader',
    'Google Reader, Bearer',
    'Google Reader, log in',
  ],
  session: ['API, cookie'],
  fever: ['Fever'],
  'fever of an earlier version': ['Fever'],
  'fever, as its password': [],
  'google-reader': ['Google Reader', 'Google Reader, Bearer'],
  'secret feed address': ['secret feed'],
  password: ['Miniflux, Basic', 'Google Reader, log in', 'our log in'],
  'local key': ['API, Bearer', 'list of feeds'],
}

const POINTS = Object.keys(ENTRY_POINTS) as EntryPoint[]

async function secretOf(kind: string, fixture: ReturnType<typeof createServerFixture>): Promise<string> {
  const account = { name: 'ada', scope: 'admin' as AccessScope, addedAt: NOW }
  const userId = (await fixture.store.addUser({ ...account, password: await HASH }))!
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const secret = newSecret()
  const credential = { userId, name: 'x', scope: 'admin' as AccessScope, addedAt: NOW, endsAt: NOW + DAY }
  switch (kind) {
    case 'token':
      return (await accounts.addToken(userId, { name: 't', scope: 'admin' })).secret
    case 'fever':
    case 'fever, as its password': {
      const created = await accounts.addToken(userId, { name: 'f', scope: 'admin', for: 'fever' })
      return kind === 'fever' ? feverSecret(feverKey('ada', created.secret)) : created.secret
    }
    case 'fever of an earlier version':
      await fixture.store.addCredential(
        { ...credential, kind: 'token' },
        hashOfSecret(feverSecret(feverKey('ada', secret))),
      )
      return feverSecret(feverKey('ada', secret))
    case 'session':
    case 'google-reader':
      await fixture.store.addCredential({ ...credential, kind }, hashOfSecret(secret))
      return secret
    case 'secret feed address': {
      const feedOut = { of: { kind: 'all' as const }, text: 'full' as const }
      await fixture.store.addSharedItem('feedOut', { userId, name: 'all', ...feedOut, key: secret, addedAt: NOW })
      return secret
    }
    case 'local key':
      return 'local-key'
    default:
      return PASSWORD
  }
}

test.each(Object.keys(OPENS).flatMap((kind) => POINTS.map((point) => [kind, point] as const)))(
  'a credential of the kind "%s" at "%s" is accepted only where it is valid',
  async (kind, point) => {
    const fixture = createServerFixture({ localKey: 'local-key' })
    const [path, headers, body] = ENTRY_POINTS[point](await secretOf(kind, fixture)) as [
      string,
      Record<string, string>,
      string?,
    ]
    const init = body === undefined ? { headers } : { method: 'POST', headers, body }
    const response = await fixture.app.request(`http://localhost${path}`, init)
    const text = await response.text()
    const isIn = response.status === 200 && !text.includes('"auth":0')
    expect([isIn, response.status]).toEqual([OPENS[kind]?.includes(point), isIn ? 200 : response.status])
    if (!isIn && point !== 'Fever') expect([401, 404]).toContain(response.status)
  },
)

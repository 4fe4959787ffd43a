/** Every kind of credential at every entry point: each opens what it is for, and nothing else. */
import { expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { feverKey, feverProof, hashOfSecret, hashPassword, newSecret } from '../credentials/index.ts'
import { type Allowance, DAY } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

const PASSWORD = 'correct horse battery'
/** Made once: hashing is slow on purpose. */
const HASH = hashPassword(PASSWORD)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const basic = (secret: string) => ({
  authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`,
})

/** What is sent where, with a secret. Each answers whether somebody was let in. */
const ENTRY_POINTS = {
  'API, Bearer': (secret) => ['/api/v1/people', { authorization: `Bearer ${secret}` }],
  'API, Basic': (secret) => ['/api/v1/people', basic(secret)],
  'API, cookie': (secret) => ['/api/v1/people', { cookie: `freshet_session=${encodeURIComponent(secret)}` }],
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

/** Where each kind is let in. */
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

async function secretOf(kind: string, stage: ReturnType<typeof createServerFixture>): Promise<string> {
  const person = { name: 'ada', allows: 'admin' as Allowance, addedAt: NOW }
  const personId = (await stage.store.addPerson({ ...person, password: await HASH }))!
  const accounts = createAccounts({ people: stage.store, clock: stage.clock })
  const secret = newSecret()
  const pass = { personId, name: 'x', allows: 'admin' as Allowance, addedAt: NOW, endsAt: NOW + DAY }
  switch (kind) {
    case 'token':
      return (await accounts.addToken(personId, { name: 't', allows: 'admin' })).secret
    case 'fever':
    case 'fever, as its password': {
      const made = await accounts.addToken(personId, { name: 'f', allows: 'admin', for: 'fever' })
      return kind === 'fever' ? feverProof(feverKey('ada', made.secret)) : made.secret
    }
    case 'fever of an earlier version':
      await stage.store.addPass({ ...pass, kind: 'token' }, hashOfSecret(feverProof(feverKey('ada', secret))))
      return feverProof(feverKey('ada', secret))
    case 'session':
    case 'google-reader':
      await stage.store.addPass({ ...pass, kind }, hashOfSecret(secret))
      return secret
    case 'secret feed address': {
      const river = { of: { kind: 'river' as const }, text: 'full' as const }
      await stage.store.addFeedOut({ personId, name: 'all', ...river, key: secret, addedAt: NOW })
      return secret
    }
    case 'local key':
      return 'local-key'
    default:
      return PASSWORD
  }
}

test.each(Object.keys(OPENS).flatMap((kind) => POINTS.map((point) => [kind, point] as const)))(
  'a credential of the kind "%s" at "%s" opens it only if that is what it is for',
  async (kind, point) => {
    const stage = createServerFixture({ localKey: 'local-key' })
    const [path, headers, body] = ENTRY_POINTS[point](await secretOf(kind, stage)) as [
      string,
      Record<string, string>,
      string?,
    ]
    const init = body === undefined ? { headers } : { method: 'POST', headers, body }
    const response = await stage.app.request(`http://localhost${path}`, init)
    const text = await response.text()
    const isIn = response.status === 200 && !text.includes('"auth":0')
    expect([isIn, response.status]).toEqual([OPENS[kind]?.includes(point), isIn ? 200 : response.status])
    if (!isIn && point !== 'Fever') expect([401, 404]).toContain(response.status)
  },
)

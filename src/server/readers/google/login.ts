/**
 * `ClientLogin` and the tokens of the Google Reader API. A login by password creates a token for thirty days; the same program of a user
 * gets the same token while the process runs. Where an API token is sent as the password, the client goes on with it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { hashOfSecret, newSecret } from '../../../credentials/index.ts'
import { DAY, type PersonId, setBounded } from '../../../model/index.ts'
import { verifyCredential } from '../../credentials.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { formIn } from '../form.ts'
import type { LoginCredential, ReaderAuth } from '../reader-auth.ts'

const SESSION_MS = 30 * DAY
const MAX_SESSIONS = 1000
const MAX_NAME_LENGTH = 100

type LoginParts = Pick<AuthenticatedParts, 'people' | 'clock' | 'readBody'> & Pick<ReaderAuth, 'personWith'>

export function googleLoginRoutes({ people, clock, readBody, personWith }: LoginParts): Hono {
  const app = new Hono()
  /** Tokens by user and program, so that a client that logs in at every start does not collect them. */
  const tokens = new Map<string, string>()

  app.on(['GET', 'POST'], '/accounts/ClientLogin', readBody, async (c) => {
    const form = await formIn(c)
    const [name = '', secret = ''] = [form.get('Email'), form.get('Passwd')]
    const token = await personWith(c, { name, secret, kinds: ['token'] })
      .then(({ person, pass }) => (pass ? secret : person ? tokenFor(c, person.id) : 'nobody-has-to-log-in'))
      .catch((error: unknown) => {
        if (error instanceof Problem && error.status === 401) return undefined
        throw error
      })
    if (token === undefined) return c.text('Error=BadAuthentication\n', 401)
    if (form.get('output') === 'json') return c.json({ SID: token, LSID: token, Auth: token })
    return c.text(`SID=${token}\nLSID=${token}\nAuth=${token}\n`)
  })

  async function tokenFor(c: Context, personId: PersonId): Promise<string> {
    const program = (c.req.header('user-agent') ?? 'a feed reader').slice(0, MAX_NAME_LENGTH)
    const key = `${personId} ${program}`
    const before = tokens.get(key)
    if (
      before !== undefined &&
      (await verifyCredential({ secret: before, kinds: ['google-reader'] }, { people, clock }))
    )
      return before
    const now = clock.now()
    const secret = newSecret()
    const { allows } = (await people.people()).find(({ id }) => id === personId) ?? { allows: 'read' as const }
    const pass = { kind: 'google-reader', name: program, addedAt: now, usedAt: now, endsAt: now + SESSION_MS } as const
    await people.addPass({ ...pass, personId, allows }, hashOfSecret(secret))
    setBounded(tokens, key, secret, MAX_SESSIONS)
    return secret
  }
  return app
}

export function googleCredential(c: Context): LoginCredential | undefined {
  const [, secret] =
    /^(?:GoogleLogin auth=|Bearer )"?([\w.~+/=-]{1,500})"?$/i.exec(c.req.header('authorization') ?? '') ?? []
  return secret === undefined ? undefined : { secret, kinds: ['google-reader', 'token'] }
}

/** Who sends an action token has read a response of ours, which no page of another site can. */
export type ActionToken = (c: Context) => string

/** Tokens of an earlier process are no longer valid; clients ask for another. */
export function createActionTokens(): ActionToken {
  const key = randomBytes(32)
  return (c) =>
    createHmac('sha256', key)
      .update(googleCredential(c)?.secret ?? '')
      .digest('hex')
      .slice(0, 57)
}

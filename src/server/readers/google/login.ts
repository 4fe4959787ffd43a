/**
 * `ClientLogin` of the Google Reader API. A login by password creates a token for thirty days; the same program of a user
 * gets the same token while the process runs. Where an API token is sent as the password, the client continues to use it.
 */
import { type Context, Hono } from 'hono'
import { hashOfSecret, newSecret } from '../../../credentials/index.ts'
import { DAY, setBounded, type UserId } from '../../../model/index.ts'
import { verifyPresentedCredential } from '../../credentials.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { formIn } from '../form.ts'
import type { PresentedLogin, ReaderAuth } from '../reader-auth.ts'

const SESSION_MS = 30 * DAY
const MAX_SESSIONS = 1000
const MAX_NAME_LENGTH = 100

type LoginParts = Pick<AuthenticatedParts, 'users' | 'clock' | 'readBody'> & Pick<ReaderAuth, 'authenticateUser'>

export function googleLoginRoutes({ users, clock, readBody, authenticateUser }: LoginParts): Hono {
  const app = new Hono()
  /** Tokens by user and program, so that a client that logs in at every start does not collect them. */
  const tokens = new Map<string, string>()

  app.on(['GET', 'POST'], '/accounts/ClientLogin', readBody, async (c) => {
    const form = await formIn(c)
    const [name = '', secret = ''] = [form.get('Email'), form.get('Passwd')]
    const token = await authenticateUser(c, { name, secret, kinds: ['token'] })
      .then(({ user, credential }) => (credential ? secret : user ? tokenFor(c, user.id) : 'nobody-has-to-log-in'))
      .catch((error: unknown) => {
        if (error instanceof Problem && error.status === 401) return undefined
        throw error
      })
    if (token === undefined) return c.text('Error=BadAuthentication\n', 401)
    if (form.get('output') === 'json') return c.json({ SID: token, LSID: token, Auth: token })
    return c.text(`SID=${token}\nLSID=${token}\nAuth=${token}\n`)
  })

  async function tokenFor(c: Context, userId: UserId): Promise<string> {
    const program = (c.req.header('user-agent') ?? 'a feed reader').slice(0, MAX_NAME_LENGTH)
    const key = `${userId} ${program}`
    const existing = tokens.get(key)
    if (
      existing !== undefined &&
      (await verifyPresentedCredential({ secret: existing, kinds: ['google-reader'] }, { users, clock }))
    )
      return existing
    const now = clock.now()
    const secret = newSecret()
    const { scope } = (await users.allUsers()).find(({ id }) => id === userId) ?? { scope: 'read' as const }
    const credential = {
      kind: 'google-reader',
      name: program,
      addedAt: now,
      usedAt: now,
      endsAt: now + SESSION_MS,
    } as const
    await users.addCredential({ ...credential, userId, scope }, hashOfSecret(secret))
    setBounded(tokens, key, secret, MAX_SESSIONS)
    return secret
  }
  return app
}

export function googleCredential(c: Context): PresentedLogin | undefined {
  const [, secret] =
    /^(?:GoogleLogin auth=|Bearer )"?([\w.~+/=-]{1,500})"?$/i.exec(c.req.header('authorization') ?? '') ?? []
  return secret === undefined ? undefined : { secret, kinds: ['google-reader', 'token'] }
}

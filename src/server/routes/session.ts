/** Logging in and out, and who is asking. Who guesses is slowed, by the name that is tried and by where it comes from. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { OPERATIONS } from '../../api/index.ts'
import { DAY, SECOND } from '../../model/index.ts'
import { createAttempts, hashOfSecret, isPassword, newSecret } from '../../people/index.ts'
import { personShape } from '../../views/index.ts'
import { createAccounts } from '../accounts.ts'
import { addressOfClient, isSecure } from '../caller.ts'
import { checkedRoutes } from '../checked.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { type Asker, askerOf, SESSION_COOKIE } from '../who.ts'
import { accountProblem } from './people.ts'

const SESSION_MS = 30 * DAY
const LONGEST_NAME = 100

export function sessionRoutes(parts: ServerParts): OpenAPIHono {
  const { people, clock, trustProxy } = parts
  const accounts = createAccounts(parts)
  const attempts = createAttempts()
  const app = checkedRoutes()

  app.openapi(OPERATIONS.getSession, (c) => c.json(askerShape(askerOf(c)), 200))

  app.openapi(OPERATIONS.logIn, async (c) => {
    const { name, password } = c.req.valid('json')
    const person = await proved(c, name, password)
    const [secret, now] = [newSecret(), clock.now()]
    const browser = (c.req.header('user-agent') ?? 'a browser').slice(0, LONGEST_NAME)
    const session = { kind: 'session', name: browser, addedAt: now, usedAt: now, endsAt: now + SESSION_MS } as const
    await people.addPass({ ...session, personId: person.id, allows: person.allows }, hashOfSecret(secret))
    const secure = isSecure(c, trustProxy)
    setCookie(c, SESSION_COOKIE, secret, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure,
      maxAge: SESSION_MS / SECOND,
    })
    return c.json(askerShape({ person, allows: person.allows }), 200)
  })

  app.openapi(OPERATIONS.logOut, async (c) => {
    const { pass } = askerOf(c)
    if (pass?.kind === 'session') await people.removePass(pass.personId, pass.id)
    deleteCookie(c, SESSION_COOKIE, { path: '/' })
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.changePassword, async (c) => {
    const { person, pass } = askerOf(c)
    if (!person) throw new Problem(400, 'nobody is logged in', 'an account is made by freshet user add NAME')
    const { old, new: password } = c.req.valid('json')
    await proved(c, person.name, old)
    await accounts.change(person.id, { password }, pass?.id).catch(accountProblem)
    return c.body(null, 204)
  })

  /** The person, if the password is theirs. */
  async function proved(c: Context, name: string, password: string) {
    const by = [`name ${name.toLowerCase()}`, `from ${addressOfClient(c, trustProxy)}`]
    const mayAt = attempts.mayAt(by, clock.now())
    if (mayAt !== undefined) throw tooMany((mayAt - clock.now()) / SECOND)
    const end = attempts.begin(by)
    if (!end) throw tooMany(1)
    let isTheirs = false
    try {
      const person = await people.personNamed(name)
      isTheirs = await isPassword(password, person?.password)
      if (person && isTheirs) {
        const { password: _, ...known } = person
        return known
      }
    } finally {
      end(isTheirs, clock.now())
    }
    throw new Problem(
      401,
      'name and password do not belong together',
      'try again; who runs this server can set a new password',
    )
  }
  return app
}

function tooMany(seconds: number): Problem {
  return new Problem(429, 'there were too many attempts to log in', 'wait a while', Math.max(1, seconds))
}

function askerShape({ person, allows }: Asker) {
  return { ...(person && { person: personShape(person) }), ...(allows && { allows }) }
}

/** Logging in and out, and who is asking. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { deleteCookie, setCookie } from 'hono/cookie'
import { OPERATIONS } from '../../api/index.ts'
import { hashOfSecret, newSecret } from '../../credentials/index.ts'
import { DAY, SECOND } from '../../model/index.ts'
import { tokenShape, userShape } from '../../views/index.ts'
import { createAccounts } from '../accounts.ts'
import { type Caller, callerOf, SESSION_COOKIE } from '../authorize.ts'
import { isSecure } from '../client-address.ts'
import { Problem } from '../problem.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { accountProblem } from './users.ts'

const SESSION_MS = 30 * DAY
const LONGEST_NAME = 100

export function sessionRoutes(parts: AuthenticatedParts): OpenAPIHono {
  const { people, clock, trustProxy, checkPassword } = parts
  const accounts = createAccounts(parts)
  const app = validatedRoutes()

  app.openapi(OPERATIONS.getSession, (c) => c.json(callerShape(callerOf(c)), 200))

  app.openapi(OPERATIONS.logIn, async (c) => {
    const { name, password } = c.req.valid('json')
    const person = await checkPassword(c, name, password)
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
    return c.json(callerShape({ person, allows: person.allows }), 200)
  })

  app.openapi(OPERATIONS.logInProgram, async (c) => {
    const { name, password, token: program, allows } = c.req.valid('json')
    const person = await checkPassword(c, name, password)
    const { token, secret } = await accounts
      .addToken(person.id, { name: program, allows: allows ?? person.allows })
      .catch(accountProblem)
    return c.json({ token: tokenShape(token), secret }, 201)
  })

  app.openapi(OPERATIONS.logOut, async (c) => {
    const { pass } = callerOf(c)
    if (pass) await people.removePasses(pass.personId, { id: pass.id })
    deleteCookie(c, SESSION_COOKIE, { path: '/' })
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.changePassword, async (c) => {
    const { person, pass } = callerOf(c)
    if (!person) throw new Problem(400, 'not logged in', 'create an account with freshet user add NAME')
    const { old, new: password } = c.req.valid('json')
    await checkPassword(c, person.name, old)
    await accounts.change(person.id, { password }, pass?.id).catch(accountProblem)
    return c.body(null, 204)
  })
  return app
}

function callerShape({ person, allows }: Caller) {
  return { ...(person && { person: userShape(person) }), ...(allows && { allows }) }
}

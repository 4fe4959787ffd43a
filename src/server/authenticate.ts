/**
 * Checks passwords for the page, programs and feed readers, and throttles guessing. Failures are counted by name and client together, so
 * nobody can lock out another user, and by client alone with a higher limit, against clients that try many names. A device with a valid
 * session or token of the account is counted separately. So is each wrong token: 256 bits cannot be guessed, and a phone with a revoked
 * token must not keep its owner from logging in.
 */
import { createHash } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { Context } from 'hono'
import { type AttemptKey, createAttemptLimiter, verifyPassword } from '../credentials/index.ts'
import { SECOND, type User } from '../model/index.ts'
import type { Clock, Users } from '../ports/index.ts'
import { callerOf } from './authorize.ts'
import { clientKey } from './client-address.ts'
import { Problem } from './problem.ts'
import type { SecondFactors } from './sign-in/second-factor.ts'
import type { SignInSettings } from './sign-in/settings.ts'
import { createFailureReports, type ServerWarning } from './warnings.ts'

/** Returns the user if the password is correct, else throws a Problem. */
export type CheckPassword = (c: Context, name: string, password: string) => Promise<User>

/** Counts an unknown token; throws a Problem if it is sent too often. */
export type CountInvalidToken = (c: Context, secret: string) => void

/** Runs a check of a code of the second factor, unless there were too many wrong ones. It fails with undefined, false, or a Problem. */
export type LimitCodes = <Result>(c: Context, user: User, check: () => Promise<Result>) => Promise<Result>

/** Returns the user if the password, and the code if they have a second factor, are correct, else throws a Problem. */
export type CheckLogin = (
  c: Context,
  login: { name: string; password: string; code?: string | undefined },
) => Promise<User>

const FREE_FAILURES_PER_NAME = 5
/** Wrong codes for a user from all addresses: whoever sends them knows the password. */
const FREE_CODE_FAILURES = 50
const FREE_FAILURES_PER_CLIENT = 30
/** Wrong tokens of a client. Valid tokens are accepted even above this limit. */
const FREE_TOKEN_FAILURES = 100

export interface Authentication {
  checkPassword: CheckPassword
  checkLogin: CheckLogin
  limitCodes: LimitCodes
  countInvalidToken: CountInvalidToken
  reportInvalidToken: (c: Context) => void
}

export function createAuthentication({
  users,
  clock,
  trustProxy,
  signIn,
  secondFactors,
  onWarning = () => {},
}: {
  users: Users
  clock: Clock
  trustProxy?: BlockList
  signIn?: SignInSettings
  secondFactors: SecondFactors
  onWarning?: (warning: ServerWarning) => void
}): Authentication {
  const attempts = createAttemptLimiter()
  const report = createFailureReports(clock, onWarning)

  function keysFor(c: Context, name: string, client: string): AttemptKey[] {
    const folded = name.toLowerCase()
    const { credential, user } = callerOf(c) ?? {}
    if (credential && user?.name.toLowerCase() === folded)
      return [{ key: `device ${credential.id}`, freeFailures: FREE_FAILURES_PER_NAME, resetsOnSuccess: true }]
    return [
      { key: `name ${folded} from ${client}`, freeFailures: FREE_FAILURES_PER_NAME, resetsOnSuccess: true },
      // A successful login must not reset the failures for other names.
      { key: `from ${client}`, freeFailures: FREE_FAILURES_PER_CLIENT, resetsOnSuccess: false },
    ]
  }

  function startAttempt(keys: AttemptKey[], client: string) {
    const allowedAt = attempts.nextAllowedAt(keys, clock.now())
    if (allowedAt !== undefined) throw tooMany((allowedAt - clock.now()) / SECOND)
    const finish = attempts.start(keys, client)
    if (!finish) throw tooMany(1)
    return finish
  }

  async function checkPassword(c: Context, name: string, password: string): Promise<User> {
    if (signIn?.oidc?.isOnly)
      throw new Problem(
        403,
        'passwords are turned off on this server',
        `sign in with ${signIn.oidc.label}, and use a token in programs`,
      )
    const client = clientKey(c, trustProxy)
    const finish = startAttempt(keysFor(c, name, client), client)
    let isCorrect = false
    let account: (User & { password: string }) | undefined
    try {
      account = await users.userByName(name)
      isCorrect = await verifyPassword(password, account?.password)
    } finally {
      finish(isCorrect, clock.now())
    }
    if (account && isCorrect) {
      const { password: _, ...user } = account
      return user
    }
    // An unknown name may be a password in the wrong field, so it is not reported.
    report({ by: 'password', client, ...(account && { name: account.name }) })
    const hint = 'try again, or ask the operator of this server to set a new password'
    throw new Problem(401, 'wrong user name or password', hint)
  }

  async function limitCodes<Result>(c: Context, user: User, check: () => Promise<Result>): Promise<Result> {
    const client = clientKey(c, trustProxy)
    const keys = [
      { key: `code of ${user.id} from ${client}`, freeFailures: FREE_FAILURES_PER_NAME, resetsOnSuccess: true },
      { key: `code of ${user.id}`, freeFailures: FREE_CODE_FAILURES, resetsOnSuccess: true },
    ]
    const finish = startAttempt(keys, client)
    let result: Result | undefined
    try {
      result = await check()
      return result
    } finally {
      finish(Boolean(result), clock.now())
      if (!result) report({ by: 'code', client, name: user.name })
    }
  }

  return {
    checkPassword,
    limitCodes,

    async checkLogin(c, { name, password, code }) {
      const user = await checkPassword(c, name, password)
      if (!(await secondFactors.status(user.id))) return user
      if (code === undefined)
        throw new Problem(401, 'a code is required', 'send the code of your app, or a recovery code', undefined, {
          needs: 'code',
        })
      if (await limitCodes(c, user, () => secondFactors.accepts(user.id, code))) return user
      throw new Problem(401, 'wrong or used code', 'type the current code, or a recovery code', undefined, {
        needs: 'code',
      })
    },

    countInvalidToken(c, secret) {
      const client = clientKey(c, trustProxy)
      const digest = createHash('sha256').update(secret).digest('base64')
      const keys = [
        { key: `token ${digest} from ${client}`, freeFailures: FREE_FAILURES_PER_NAME, resetsOnSuccess: true },
        { key: `tokens from ${client}`, freeFailures: FREE_TOKEN_FAILURES, resetsOnSuccess: false },
      ]
      const allowedAt = attempts.nextAllowedAt(keys, clock.now())
      if (allowedAt !== undefined) throw tooMany((allowedAt - clock.now()) / SECOND)
      attempts.start(keys, `token from ${client}`)?.(false, clock.now())
      report({ by: 'token', client })
    },

    reportInvalidToken: (c) => report({ by: 'token', client: clientKey(c, trustProxy) }),
  }
}

function tooMany(seconds: number): Problem {
  return new Problem(429, 'too many login attempts', 'wait a while', Math.max(1, seconds))
}

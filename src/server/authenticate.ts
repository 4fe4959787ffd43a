/**
 * Checks passwords, for the page, programs and feed readers alike, and slows those who guess. Failures are counted by name and client
 * together, so nobody can lock out somebody else, and by client alone with more patience, against those who try many names. A device
 * that has a valid session or token of the account is counted by itself. A wrong token is counted by itself, too: nobody guesses 256 bits,
 * and a phone with a revoked token must not keep its owner from logging in.
 */
import { createHash } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { Context } from 'hono'
import { type AttemptKey, createAttempts, isPassword } from '../credentials/index.ts'
import { type Person, SECOND } from '../model/index.ts'
import type { Clock, People } from '../ports/index.ts'
import { callerOf } from './authorize.ts'
import { clientKey } from './client-address.ts'
import { Problem } from './problem.ts'
import { createFailureReports, type ServerWarning } from './warnings.ts'

/** The person, if the password is theirs; else throws a Problem. */
export type CheckPassword = (c: Context, name: string, password: string) => Promise<Person>

/** Counts a token that nobody has; throws a Problem if it comes too often. */
export type CountWrongToken = (c: Context, secret: string) => void

const FREE_FOR_A_NAME = 5
const FREE_FOR_A_CLIENT = 30
/** Wrong tokens of a client, of any kind; who has a good one is let in all the same. */
const FREE_TOKENS = 100

export function createAuthentication({
  people,
  clock,
  trustProxy,
  onWarning = () => {},
}: {
  people: People
  clock: Clock
  trustProxy?: BlockList
  onWarning?: (warning: ServerWarning) => void
}): { checkPassword: CheckPassword; countWrongToken: CountWrongToken; reportWrongToken: (c: Context) => void } {
  const attempts = createAttempts()
  const report = createFailureReports(clock, onWarning)

  function keysFor(c: Context, name: string, client: string): AttemptKey[] {
    const folded = name.toLowerCase()
    const { pass, person } = callerOf(c) ?? {}
    if (pass && person?.name.toLowerCase() === folded)
      return [{ key: `device ${pass.id}`, free: FREE_FOR_A_NAME, forgives: true }]
    return [
      { key: `name ${folded} from ${client}`, free: FREE_FOR_A_NAME, forgives: true },
      // Who has an account must not be able to wipe out by it what failed for other names.
      { key: `from ${client}`, free: FREE_FOR_A_CLIENT, forgives: false },
    ]
  }

  function begin(by: AttemptKey[], client: string) {
    const mayAt = attempts.mayAt(by, clock.now())
    if (mayAt !== undefined) throw tooMany((mayAt - clock.now()) / SECOND)
    const end = attempts.begin(by, client)
    if (!end) throw tooMany(1)
    return end
  }

  return {
    async checkPassword(c, name, password) {
      const client = clientKey(c, trustProxy)
      const end = begin(keysFor(c, name, client), client)
      let isTheirs = false
      let found: (Person & { password: string }) | undefined
      try {
        found = await people.personNamed(name)
        isTheirs = await isPassword(password, found?.password)
      } finally {
        end(isTheirs, clock.now())
      }
      if (found && isTheirs) {
        const { password: _, ...person } = found
        return person
      }
      // A name that nobody has may be a password in the wrong field.
      report({ by: 'password', client, ...(found && { name: found.name }) })
      const hint = 'try again; who runs this server can set a new password'
      throw new Problem(401, 'wrong user name or password', hint)
    },

    countWrongToken(c, secret) {
      const client = clientKey(c, trustProxy)
      const digest = createHash('sha256').update(secret).digest('base64')
      const by = [
        { key: `token ${digest} from ${client}`, free: FREE_FOR_A_NAME, forgives: true },
        { key: `tokens from ${client}`, free: FREE_TOKENS, forgives: false },
      ]
      const mayAt = attempts.mayAt(by, clock.now())
      if (mayAt !== undefined) throw tooMany((mayAt - clock.now()) / SECOND)
      attempts.begin(by, `token from ${client}`)?.(false, clock.now())
      report({ by: 'token', client })
    },

    reportWrongToken: (c) => report({ by: 'token', client: clientKey(c, trustProxy) }),
  }
}

function tooMany(seconds: number): Problem {
  return new Problem(429, 'too many login attempts', 'wait a while', Math.max(1, seconds))
}

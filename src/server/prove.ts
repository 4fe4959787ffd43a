/**
 * Whether a password is somebody's: asked here by everybody who is given one, be it the page, a program or somebody's feed reader. Who
 * guesses is slowed, by the name that is tried and by where it comes from, whichever way he tries.
 */
import type { BlockList } from 'node:net'
import type { Context } from 'hono'
import { type Person, SECOND } from '../model/index.ts'
import { createAttempts, isPassword } from '../people/index.ts'
import type { Clock, People } from '../ports/index.ts'
import { addressOfClient } from './caller.ts'
import { Problem } from './problem.ts'

/** The person, if the password is theirs; else throws a Problem. */
export type Proved = (c: Context, name: string, password: string) => Promise<Person>

/** As `Proved`, by whatever else than the account's password somebody may be known by. */
export type ProvedBy = <Known>(c: Context, name: string, find: () => Promise<Known | undefined>) => Promise<Known>

export function createProving({
  people,
  clock,
  trustProxy,
}: {
  people: People
  clock: Clock
  trustProxy?: BlockList
}): { proved: Proved; tried: ProvedBy } {
  const attempts = createAttempts()

  const tried: ProvedBy = async (c, name, find) => {
    const by = [`name ${name.toLowerCase()}`, `from ${addressOfClient(c, trustProxy)}`]
    const mayAt = attempts.mayAt(by, clock.now())
    if (mayAt !== undefined) throw tooMany((mayAt - clock.now()) / SECOND)
    const end = attempts.begin(by)
    if (!end) throw tooMany(1)
    let known: Awaited<ReturnType<typeof find>> | undefined
    try {
      known = await find()
    } finally {
      end(known !== undefined, clock.now())
    }
    if (known !== undefined) return known
    const hint = 'try again; who runs this server can set a new password'
    throw new Problem(401, 'name and password do not belong together', hint)
  }

  const proved: Proved = (c, name, password) =>
    tried(c, name, async () => {
      const person = await people.personNamed(name)
      if (!(await isPassword(password, person?.password)) || !person) return undefined
      const { password: _, ...known } = person
      return known
    })

  return { proved, tried }
}

function tooMany(seconds: number): Problem {
  return new Problem(429, 'there were too many attempts to log in', 'wait a while', Math.max(1, seconds))
}

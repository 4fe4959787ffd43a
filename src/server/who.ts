/**
 * Who asks, and whether he may. Somebody proves himself by a token (`Authorization: Bearer`, or as the password of `Basic`) or by
 * the cookie of a session. Where there are no accounts, whoever can reach the server may do everything: that is one person on
 * his own machine, or who said that he knows. The command line on the same machine has a key of its own, which lies beside the store.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import type { TokenScope } from '../api/index.ts'
import { type Allowance, includesAllowance, lesserOf, type Pass, type Person, type PersonId } from '../model/index.ts'
import { hashOfSecret } from '../people/index.ts'
import type { Clock, People } from '../ports/index.ts'
import { operationAsked } from './checked.ts'
import { Problem } from './problem.ts'

export interface Asker {
  /** Undefined: nobody is known, and nothing is allowed. */
  allows: Allowance | undefined
  person?: Person
  pass?: Pass
  /** He has the key of this machine, and may say whom he means. */
  isLocal?: true
}

export interface WhoParts {
  people: People
  clock: Clock
  /** Whoever reaches the server may do everything, also once there are accounts. */
  isOpen: boolean
  localKey?: string | undefined
  /** Others can reach the server, and the first account has still to be made. */
  isClosed: () => boolean
}

export const SESSION_COOKIE = 'freshet_session'

export function askerOf(c: Context): Asker {
  return c.get('asker') as Asker
}

/** Whose things are asked for. Who needs no account, or has the key of the machine, is the first person. */
export function readerOf(c: Context): Promise<PersonId> {
  return (c.get('reader') as () => Promise<PersonId>)()
}

/** Whether who asked would be let in now. */
export async function mayStill(c: Context): Promise<boolean> {
  const { allows } = await (c.get('ask again') as () => Promise<Asker>)()
  return allows !== undefined
}

export function whoAsks(parts: WhoParts): MiddlewareHandler {
  return async (c, next) => {
    const asker = await find(parts, c)
    c.set('ask again', () => find(parts, c))
    c.set('asker', asker)
    c.set('reader', () => readerMeant(asker, parts.people, c.req.header('freshet-person')))
    await next()
  }
}

async function readerMeant({ person, isLocal }: Asker, people: People, written: string | undefined): Promise<PersonId> {
  if (person) return person.id
  if (!isLocal || !written) return people.firstPerson()
  const named = decoded(written)
  const meant = await people.personNamed(named)
  if (meant) return meant.id
  throw new Problem(404, `nobody is called "${named}" here`, 'freshet user list names those who are')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function find({ people, clock, isOpen, localKey, isClosed }: WhoParts, c: Context): Promise<Asker> {
  const secret = secretIn(c)
  if (secret !== undefined) {
    if (localKey !== undefined && isSame(secret, localKey)) return { allows: 'admin', isLocal: true }
    const found = await people.passWith(hashOfSecret(secret), clock.now())
    if (found) {
      const { pass, person } = found
      return { allows: lesserOf(pass.allows, person.allows), person, pass }
    }
  }
  if (isOpen || (!isClosed() && (await people.people()).length === 0)) return { allows: 'admin' }
  return { allows: undefined }
}

function secretIn(c: Context): string | undefined {
  const [scheme, given] = c.req.header('authorization')?.split(' ', 2) ?? []
  if (given !== undefined && /^bearer$/i.test(scheme ?? '')) return given
  if (given !== undefined && /^basic$/i.test(scheme ?? ''))
    return Buffer.from(given, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  return getCookie(c, SESSION_COOKIE)
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hashOfSecret(one), hashOfSecret(other))
}

/** What is no operation of the API, as a feed or an export, is for who may read. */
export const onlyAllowed: MiddlewareHandler = async (c, next) => {
  allow(askerOf(c), operationAsked(c)?.['x-scope'] ?? 'read')
  await next()
}

function allow({ allows }: Asker, needed: TokenScope): void {
  if (needed === 'none') return
  if (allows === undefined)
    throw new Problem(401, 'this is for who is logged in', 'log in, or send a token: authorization: Bearer …')
  if (!includesAllowance(allows, needed))
    throw new Problem(403, `this needs to be allowed to ${needed}, and you may ${allows}`, 'ask who runs this server')
}

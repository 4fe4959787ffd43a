/**
 * Authentication of feed readers. Each protocol sends its credentials in its own way: a header of Google's, one of Miniflux's, or Basic
 * authentication. A token is accepted wherever a password is. Cookies are not, so no page in a browser can use one; and where nobody has to
 * log in, requests that name another site as their origin are refused as everywhere.
 */
import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import {
  type Allowance,
  includesAllowance,
  type Pass,
  type Person,
  type PersonId,
  setBounded,
} from '../../model/index.ts'
import { isCrossSite } from '../browser-security.ts'
import type { LoggedChange } from '../change-log.ts'
import { type Credential, isLoginUnneeded, verifyCredential } from '../credentials.ts'
import { Problem } from '../problem.ts'
import { rateLimit } from '../rate-limit.ts'
import type { AuthenticatedParts } from '../server-parts.ts'

interface Reader {
  personId: PersonId
  /** Empty where nobody has to log in. */
  name: string
  allows: Allowance
}

/** The credentials of a request: a token, or a name with a password or token. */
export interface LoginCredential extends Credential {
  name?: string
}

/** Checking a password takes a good part of a second of CPU, so recent results are cached. */
const MAX_CACHED = 1000

export interface ReaderAuth {
  /** `person` is undefined if nobody has to log in, and nobody did. */
  personWith(c: Context, proof: LoginCredential | undefined): Promise<{ person?: Person; pass?: Pass; reader: Reader }>
  /** Authenticates by what `proofIn` finds in the request, and only then reads the body. */
  asReader(
    proofIn: (c: Context) => LoginCredential | undefined | Promise<LoginCredential | undefined>,
  ): MiddlewareHandler
}

export function currentReader(c: Context): Reader {
  return c.get('reader') as Reader
}

/** For requests that change something. */
export function requireWrite(c: Context): Reader {
  const reader = currentReader(c)
  if (!includesAllowance(reader.allows, 'write'))
    throw new Problem(
      403,
      `this needs write access, and you have ${reader.allows} access`,
      'ask the operator of this server',
    )
  return reader
}

/** For the log of changes. */
export function changeMadeBy({ name }: Reader, what: string, on?: string): LoggedChange {
  return { ...(name && { who: name }), what, ...(on !== undefined && { on }) }
}

export function createReaderAuth(parts: AuthenticatedParts): ReaderAuth {
  const {
    people,
    clock,
    checkPassword,
    countWrongToken,
    listenWithoutLogin = false,
    trustProxy,
    isClosed,
    readBody,
  } = parts
  const rate = rateLimit(clock, trustProxy)
  /** The stored password hash that was verified, by the hash of name and password. */
  const verified = new Map<string, string>()

  async function byPassword(c: Context, name: string, password: string): Promise<Person> {
    const key = createHash('sha256').update(`${name.toLowerCase()}\n${password}`).digest('base64')
    const account = await people.personNamed(name)
    if (account && verified.get(key) === account.password) {
      const { password: _, ...person } = account // as it is now: the account may be allowed less
      return person
    }
    const person = await checkPassword(c, name, password)
    if (account) setBounded(verified, key, account.password, MAX_CACHED)
    return person
  }

  async function personWith(c: Context, proof: LoginCredential | undefined) {
    const found = proof && (await verifyCredential(proof, { people, clock }))
    const isTheirs = found && (proof.name === undefined || proof.name.toLowerCase() === found.person.name.toLowerCase())
    if (found && isTheirs) {
      const { person, pass, allows } = found
      return { person, pass, reader: { personId: person.id, name: person.name, allows } }
    }
    if (await isLoginUnneeded({ people, isOpen: listenWithoutLogin, isClosed }))
      return { reader: { personId: await people.firstPerson(), name: '', allows: 'admin' as const } }
    if (proof?.name !== undefined) {
      const person = await byPassword(c, proof.name, proof.secret)
      return { person, reader: { personId: person.id, name: person.name, allows: person.allows } }
    }
    // A wrong token counts as a failed attempt; a missing one does not.
    if (proof) countWrongToken(c, proof.secret)
    throw new Problem(401, 'login required', 'log in with user name and password, or a token')
  }

  return {
    personWith,
    asReader: (proofIn) => async (c, next) => {
      const { reader, person, pass } = await personWith(c, await proofIn(c))
      c.set('reader', reader)
      c.set('asker', { allows: reader.allows, ...(person && { person }), ...(pass && { pass }) })
      await rate(c, async () => void (await readBody(c, next)))
    },
  }
}

/** Name and password of Basic authentication. */
export function basicCredential(c: Context): LoginCredential | undefined {
  const [, given] = /^basic ([\w+/=-]{1,4000})$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (given === undefined) return undefined
  const [, name = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(given, 'base64').toString()) ?? []
  return { name, secret, kinds: ['token'] }
}

/** A page of another site may send forms here; the browser names that site. */
export const rejectCrossSiteRequests: MiddlewareHandler = async (c, next) => {
  if (isCrossSite(c))
    throw new Problem(403, 'the request comes from another site', 'this API is for feed readers, not for pages')
  await next()
}

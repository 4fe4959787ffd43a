/**
 * Who asks, and whether he may. Somebody proves himself by a token (`Authorization: Bearer`, or as the password of `Basic`) or by
 * the cookie of a session. Where there are no accounts, whoever can reach the server may do everything: that is one person on
 * his own machine, or who said that he knows. The command line on the same machine has a key of its own, which lies beside the store.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import type { TokenScope } from '../api/index.ts'
import { hashOfSecret } from '../credentials/index.ts'
import { type Allowance, includesAllowance, type Pass, type Person, type PersonId } from '../model/index.ts'
import type { Clock, People } from '../ports/index.ts'
import { type Credential, isLoginUnneeded, verifyCredential } from './credentials.ts'
import type { SubscribingUser } from './follow-addresses.ts'
import { decodeIfPossible } from './percent-decoding.ts'
import { Problem } from './problem.ts'
import { requestedOperation } from './validation.ts'

export interface Caller {
  /** Undefined: nobody is known, and nothing is allowed. */
  allows: Allowance | undefined
  person?: Person
  pass?: Pass
  /** He has the key of this machine, and may say whom he means. */
  isLocal?: true
}

export interface IdentifyParts {
  people: People
  clock: Clock
  /** Whoever reaches the server may do everything, also once there are accounts. */
  isOpen: boolean
  localKey?: string | undefined
  /** Others can reach the server, and the first account has still to be made. */
  isClosed: () => boolean
  /** Told of a credential that nobody has, or that is for something else. */
  onWrong: (c: Context) => void
}

export const SESSION_COOKIE = 'freshet_session'

export function callerOf(c: Context): Caller {
  return c.get('asker') as Caller
}

/** Whose things are asked for. Who needs no account, or has the key of the machine, is the first person. */
export function userIdOf(c: Context): Promise<PersonId> {
  return (c.get('reader') as () => Promise<PersonId>)()
}

/** For whom addresses are added, and until when. */
export async function subscribingUserOf(c: Context): Promise<SubscribingUser> {
  return { personId: await userIdOf(c), signal: c.req.raw.signal, isLocal: callerOf(c).isLocal }
}

/** Whether who asked would be let in now. */
export async function isStillAllowed(c: Context): Promise<boolean> {
  const { allows } = await (c.get('ask again') as () => Promise<Caller>)()
  return allows !== undefined
}

export function identifyCaller(parts: IdentifyParts): MiddlewareHandler {
  return async (c, next) => {
    const asker = await find(parts, c)
    if (asker.allows === undefined && credentialIn(c)) parts.onWrong(c)
    c.set('ask again', () => find(parts, c))
    c.set('asker', asker)
    c.set('reader', () => selectUser(asker, parts.people, c.req.header('freshet-person')))
    await next()
  }
}

async function selectUser({ person, isLocal }: Caller, people: People, written: string | undefined): Promise<PersonId> {
  if (person) return person.id
  if (!isLocal || !written) return people.firstPerson()
  const named = decodeIfPossible(written)
  const meant = await people.personNamed(named)
  if (meant) return meant.id
  throw new Problem(404, `nobody is called "${named}" here`, 'freshet user list names those who are')
}

async function find({ people, clock, isOpen, localKey, isClosed }: IdentifyParts, c: Context): Promise<Caller> {
  const credential = credentialIn(c)
  if (credential) {
    if (localKey !== undefined && isBearer(c) && isSame(credential.secret, localKey))
      return { allows: 'admin', isLocal: true }
    const found = await verifyCredential(credential, { people, clock })
    if (found) return found
  }
  if (await isLoginUnneeded({ people, isOpen, isClosed })) return { allows: 'admin' }
  return { allows: undefined }
}

function credentialIn(c: Context): Credential | undefined {
  const [, scheme = '', given = ''] = /^(bearer|basic) (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (/^bearer$/i.test(scheme)) return { secret: given, kinds: ['token', 'corpus'] }
  if (/^basic$/i.test(scheme))
    return {
      secret: Buffer.from(given, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''),
      kinds: ['token', 'corpus'],
    }
  const cookie = getCookie(c, SESSION_COOKIE)
  return cookie === undefined ? undefined : { secret: cookie, kinds: ['session'] }
}

function isBearer(c: Context): boolean {
  return /^bearer /i.test(c.req.header('authorization') ?? '')
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hashOfSecret(one), hashOfSecret(other))
}

/** What is no operation of the API, as a feed or an export, is for who may read. */
export const requireScope: MiddlewareHandler = async (c, next) => {
  const [asker, operation] = [callerOf(c), requestedOperation(c)]
  allow(asker, operation?.['x-scope'] ?? 'read')
  if (asker.pass?.kind === 'corpus' && (operation?.tags.some((tag) => PERSONAL.has(tag)) || c.req.path === OWN_LIST))
    throw new Problem(403, 'a corpus token reads the crawl, not user data', 'use another token')
  await next()
}

/** Tags of operations that are about what somebody has. */
const PERSONAL: ReadonlySet<string> = new Set(['subscriptions', 'reading', 'searches', 'webhooks', 'people'])
const OWN_LIST = '/subscriptions.opml'

function allow({ allows }: Caller, needed: TokenScope): void {
  if (needed === 'none') return
  if (allows === undefined) throw new Problem(401, 'login required', 'log in, or send a token: Authorization: Bearer …')
  if (!includesAllowance(allows, needed))
    throw new Problem(
      403,
      `this needs ${needed} access, and you have ${allows} access`,
      'ask the operator of this server',
    )
}

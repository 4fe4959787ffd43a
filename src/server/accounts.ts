/**
 * What can be done to accounts, whoever asks for it: the API, or the command line on a store that nobody runs on. There is always
 * somebody who may do everything, once there is anybody; who gets another password, or is allowed less, logs in again.
 */

import {
  feverHash,
  feverKey,
  hashOfSecret,
  hashPassword,
  newSecret,
  troubleWithName,
  troubleWithPassword,
} from '../credentials/index.ts'
import {
  type Allowance,
  HintedError,
  includesAllowance,
  lesserOf,
  type Pass,
  type PassId,
  type Person,
  type PersonId,
} from '../model/index.ts'
import type { Clock, People, PersonChanged } from '../ports/index.ts'

/** `taken`: it is not the request that is wrong, but it cannot be done as things stand. */
export class AccountError extends HintedError {
  readonly kind: 'wrong' | 'taken' | 'gone'

  constructor(kind: 'wrong' | 'taken' | 'gone', message: string, hint: string) {
    super(message, hint)
    this.kind = kind
  }
}

export interface Accounts {
  list(): Promise<Person[]>
  /** The first may do everything. */
  add(name: string, password: string, allows?: Allowance): Promise<Person>
  change(id: PersonId, change: { allows?: Allowance; password?: string }, except?: PassId): Promise<void>
  remove(id: PersonId): Promise<void>
  tokens(id: PersonId): Promise<Pass[]>
  /** The secret is told this once. */
  addToken(id: PersonId, token: NewToken): Promise<{ token: Pass; secret: string }>
  revoke(id: PersonId, token: PassId): Promise<void>
}

/** `for`: the password of a program that knows only the Fever API; or what reads the whole crawl but private feeds. It serves for nothing else. */
interface NewToken {
  name: string
  allows: Allowance
  for?: 'fever' | 'corpus' | undefined
}

const MOST_TOKENS = 100

export function createAccounts({ people, clock }: { people: People; clock: Clock }): Accounts {
  async function personWith(id: PersonId): Promise<Person> {
    const person = (await people.people()).find((one) => one.id === id)
    if (!person) throw gone('person', id)
    return person
  }

  function checked(changed: PersonChanged, id: PersonId): void {
    if (changed === 'gone') throw gone('person', id)
    if (changed === 'done') return
    const hint = 'make somebody else an admin first'
    throw new AccountError('taken', 'nobody would be left who may do everything', hint)
  }

  return {
    list: () => people.people(),

    async add(name, password, allows) {
      const trouble = troubleWithName(name) ?? troubleWithPassword(password)
      if (trouble) throw new AccountError('wrong', trouble.message, trouble.hint)
      const isFirst = (await people.people()).length === 0
      if (isFirst && allows !== undefined && allows !== 'admin')
        throw new AccountError(
          'taken',
          'the first account may do everything',
          'add it as an admin, and others after it',
        )
      const person = { name, allows: allows ?? (isFirst ? 'admin' : 'write'), addedAt: clock.now() } as const
      const id = await people.addPerson({ ...person, password: await hashPassword(password) })
      if (id === undefined) throw new AccountError('taken', `somebody is called ${name} already`, 'choose another name')
      return { id, ...person }
    },

    async change(id, { allows, password }, except) {
      const person = await personWith(id)
      const trouble = password === undefined ? undefined : troubleWithPassword(password)
      if (trouble) throw new AccountError('wrong', trouble.message, trouble.hint)
      const hash = password === undefined ? undefined : await hashPassword(password)
      const change = { ...(allows && { allows }), ...(hash !== undefined && { password: hash }) }
      checked(await people.changePerson(id, change), id)
      const isLess = allows !== undefined && !includesAllowance(allows, person.allows)
      if (hash !== undefined || isLess) await people.removePasses(id, { except })
    },

    async remove(id) {
      checked(await people.removePerson(id), id)
    },

    async tokens(id) {
      await personWith(id)
      return (await people.passesOf(id, clock.now())).filter(isToken)
    },

    async addToken(id, { name, allows, for: purpose }) {
      const person = await personWith(id)
      const held = await people.passesOf(id, clock.now())
      if (held.filter(isToken).length >= MOST_TOKENS)
        throw new AccountError('taken', `${person.name} has ${MOST_TOKENS} tokens`, 'revoke those that nobody uses')
      const secret = newSecret()
      const given = {
        personId: id,
        kind: purpose ?? 'token',
        name,
        allows: purpose === 'corpus' ? 'read' : lesserOf(allows, person.allows),
        addedAt: clock.now(),
      } as const
      const hash = purpose === 'fever' ? feverHash(feverKey(person.name, secret)) : hashOfSecret(secret)
      return { token: { id: await people.addPass(given, hash), ...given }, secret }
    },

    async revoke(id, token) {
      if ((await people.removePasses(id, { id: token })) === 0) throw gone('token', token)
    },
  }
}

/** What its owner has made for a program, and may revoke. */
function isToken({ kind }: Pass): boolean {
  return kind === 'token' || kind === 'fever' || kind === 'corpus'
}

function gone(what: string, id: number): AccountError {
  return new AccountError('gone', `there is no ${what} ${id}`, 'it may have been removed meanwhile')
}

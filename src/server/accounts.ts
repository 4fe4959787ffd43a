/**
 * Operations on accounts, for the API and for the command line on a store without a running server. Once there are accounts, at least one
 * is an admin. Users with a new password or fewer rights have to log in again.
 */

import {
  feverHash,
  feverKey,
  findNameProblem,
  findPasswordProblem,
  hashOfSecret,
  hashPassword,
  newSecret,
} from '../credentials/index.ts'
import {
  type AccessScope,
  type Credential,
  type CredentialId,
  HintedError,
  includesScope,
  lesserScope,
  type User,
  type UserId,
} from '../model/index.ts'
import type { Clock, UserChangeResult, Users } from '../ports/index.ts'

/** `taken`: the request is valid, but conflicts with the current state. */
export class AccountError extends HintedError {
  readonly kind: 'wrong' | 'taken' | 'gone'

  constructor(kind: 'wrong' | 'taken' | 'gone', message: string, hint: string) {
    super(message, hint)
    this.kind = kind
  }
}

export interface Accounts {
  list(): Promise<User[]>
  /** The first account is an admin. */
  add(name: string, password: string, scope?: AccessScope): Promise<User>
  change(id: UserId, change: { scope?: AccessScope; password?: string }, except?: CredentialId): Promise<void>
  remove(id: UserId): Promise<void>
  listTokens(id: UserId): Promise<Credential[]>
  /** The secret is only returned here. */
  addToken(id: UserId, token: NewToken): Promise<{ token: Credential; secret: string }>
  revokeToken(id: UserId, token: CredentialId): Promise<void>
}

/** `for`: `fever` makes a password for the Fever API, `corpus` a token that reads all public feeds. Such tokens are valid for nothing else. */
interface NewToken {
  name: string
  scope: AccessScope
  for?: 'fever' | 'corpus' | undefined
}

const MAX_TOKENS = 100

export function createAccounts({ users, clock }: { users: Users; clock: Clock }): Accounts {
  async function loadUser(id: UserId): Promise<User> {
    const user = (await users.allUsers()).find((one) => one.id === id)
    if (!user) throw notFound('user', id)
    return user
  }

  function assertChanged(result: UserChangeResult, id: UserId): void {
    if (result === 'gone') throw notFound('user', id)
    if (result === 'done') return
    const hint = 'make another user an admin first'
    throw new AccountError('taken', 'this is the last admin', hint)
  }

  return {
    list: () => users.allUsers(),

    async add(name, password, scope) {
      const problem = findNameProblem(name) ?? findPasswordProblem(password)
      if (problem) throw new AccountError('wrong', problem.message, problem.hint)
      const isFirst = (await users.allUsers()).length === 0
      if (isFirst && scope !== undefined && scope !== 'admin')
        throw new AccountError('taken', 'the first account must be an admin', 'add it as an admin, then add the others')
      const user = { name, scope: scope ?? (isFirst ? 'admin' : 'write'), addedAt: clock.now() } as const
      const id = await users.addUser({ ...user, password: await hashPassword(password) })
      if (id === undefined)
        throw new AccountError('taken', `there already is a user called ${name}`, 'choose another name')
      return { id, ...user }
    },

    async change(id, { scope, password }, except) {
      const user = await loadUser(id)
      const problem = password === undefined ? undefined : findPasswordProblem(password)
      if (problem) throw new AccountError('wrong', problem.message, problem.hint)
      const hash = password === undefined ? undefined : await hashPassword(password)
      const change = { ...(scope && { scope }), ...(hash !== undefined && { password: hash }) }
      assertChanged(await users.changeUser(id, change), id)
      const isReduced = scope !== undefined && !includesScope(scope, user.scope)
      if (hash !== undefined || isReduced) await users.removeCredentials(id, { except })
    },

    async remove(id) {
      assertChanged(await users.removeUser(id), id)
    },

    async listTokens(id) {
      await loadUser(id)
      return (await users.credentialsOf(id, clock.now())).filter(isToken)
    },

    async addToken(id, { name, scope, for: purpose }) {
      const user = await loadUser(id)
      const credentials = await users.credentialsOf(id, clock.now())
      if (credentials.filter(isToken).length >= MAX_TOKENS)
        throw new AccountError('taken', `${user.name} has ${MAX_TOKENS} tokens`, 'revoke unused ones')
      const secret = newSecret()
      const credential = {
        userId: id,
        kind: purpose ?? 'token',
        name,
        scope: purpose === 'corpus' ? 'read' : lesserScope(scope, user.scope),
        addedAt: clock.now(),
      } as const
      const hash = purpose === 'fever' ? feverHash(feverKey(user.name, secret)) : hashOfSecret(secret)
      return { token: { id: await users.addCredential(credential, hash), ...credential }, secret }
    },

    async revokeToken(id, token) {
      if ((await users.removeCredentials(id, { id: token })) === 0) throw notFound('token', token)
    },
  }
}

/** Whether the user created it for a program and may revoke it. */
function isToken({ kind }: Credential): boolean {
  return kind === 'token' || kind === 'fever' || kind === 'corpus'
}

function notFound(what: string, id: number): AccountError {
  return new AccountError('gone', `there is no ${what} ${id}`, 'it may have been removed meanwhile')
}

/**
 * Action tokens (`T`) of the Google Reader API. One proves that the client has read a response of this server, which pages of other sites
 * cannot, and for POST it is enough to authenticate: some clients send nothing else. A token names a user and the credential for which it was
 * issued. It ends after half an hour, with that credential, and with the user's password; every process of a fleet accepts it.
 */
import type { Context } from 'hono'
import { newSecret } from '../../../credentials/index.ts'
import { type Credential, type Instant, lesserScope, MINUTE, type User } from '../../../model/index.ts'
import type { Clock, Users } from '../../../ports/index.ts'
import { callerOf } from '../../authorize.ts'
import type { VerifiedCredential } from '../../credentials.ts'
import { isSigned, signerFor } from '../signatures.ts'

const VALID_MS = 30 * MINUTE

export interface ActionTokens {
  issue(c: Context): Promise<string>
  /** Undefined if the token is unknown or has ended. */
  verify(token: string): Promise<VerifiedCredential | undefined>
  /** Whether it was issued to the user of this request. */
  isOwn(c: Context, token: string | undefined): Promise<boolean>
}

export function createActionTokens({ users, clock }: { users: Users; clock: Clock }): ActionTokens {
  /** For requests without login. No page can guess it, but other processes do not know it. */
  const anonymous = newSecret()
  const signed = (userId: number, credentialId: number, endsAt: Instant) => `action ${userId} ${credentialId} ${endsAt}`

  async function verify(token: string): Promise<VerifiedCredential | undefined> {
    const [, ...parts] = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([\w-]{20,60})$/.exec(token) ?? []
    const [userId = 0, credentialId = 0, endsAt = 0] = parts.map(Number)
    if (endsAt <= clock.now()) return undefined
    if (!(await isSigned(users, userId as User['id'], signed(userId, credentialId, endsAt), parts[3] ?? '')))
      return undefined
    const user = (await users.allUsers()).find(({ id }) => id === userId)
    const credential = (await users.credentialsOf(userId as User['id'], clock.now())).find(
      ({ id }) => id === credentialId,
    )
    return user && credential && { user, credential, scope: lesserScope(credential.scope, user.scope) }
  }

  return {
    verify,

    async issue(c) {
      const { user, credential } = callerOf(c) as { user?: User; credential?: Credential }
      if (!user || !credential) return anonymous
      const endsAt = clock.now() + VALID_MS
      const sign = await signerFor(users, user.id)
      return `${user.id}.${credential.id}.${endsAt}.${sign?.(signed(user.id, credential.id, endsAt))}`
    },

    async isOwn(c, token) {
      const { user } = callerOf(c)
      if (!user) return token === anonymous
      return token !== undefined && (await verify(token))?.user.id === user.id
    },
  }
}

/**
 * Verifies credentials; no other code maps a secret to a user. Credentials are stored with their kind, and every entry point names the kinds
 * that it accepts: a Fever key is only valid for Fever, a session only as a cookie, and a token only as a token.
 */

import { hashOfSecret, isFeverSecret } from '../credentials/index.ts'
import { type AccessScope, type Credential, lesserScope, type User } from '../model/index.ts'
import type { Clock, Users } from '../ports/index.ts'

export type CredentialKind = Credential['kind']

export interface PresentedCredential {
  secret: string
  /** The kinds that are accepted where it was sent. */
  kinds: readonly CredentialKind[]
}

export interface VerifiedCredential {
  credential: Credential
  user: User
  scope: AccessScope
}

/** Undefined if it is unknown, has expired, or is of another kind. */
export async function verifyPresentedCredential(
  { secret, kinds }: PresentedCredential,
  { users, clock }: { users: Users; clock: Clock },
): Promise<VerifiedCredential | undefined> {
  const found = await users.credentialByHash(hashOfSecret(secret), clock.now())
  if (!found) return undefined
  const { credential, user } = found
  // Stores of earlier versions have Fever keys as tokens; the prefix of the hashed text tells them apart.
  const kind = isFeverSecret(secret) ? 'fever' : credential.kind
  return kinds.includes(kind) ? { credential, user, scope: lesserScope(credential.scope, user.scope) } : undefined
}

/** Whether requests are accepted without login: if the operator disabled it, or if there are no accounts and none is required. */
export async function isLoginOptional({
  users,
  isLoginDisabled,
  requiresAccount,
}: {
  users: Pick<Users, 'allUsers'>
  /** Even if there are accounts. */
  isLoginDisabled: boolean
  /** Even without accounts, because other machines can reach the server. */
  requiresAccount: () => boolean
}): Promise<boolean> {
  return isLoginDisabled || (!requiresAccount() && (await users.allUsers()).length === 0)
}

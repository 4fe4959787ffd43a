/**
 * The one place where a secret becomes a user. Every credential is stored with what it is for, and every entry point names the kinds that
 * it takes: a Fever key opens Fever and nothing else, a browser's session counts as a cookie only, and a token as a token only.
 */

import { hashOfSecret, isFeverProof } from '../credentials/index.ts'
import { type Allowance, lesserOf, type Pass, type Person } from '../model/index.ts'
import type { Clock, People } from '../ports/index.ts'

export type CredentialKind = Pass['kind']

export interface Credential {
  secret: string
  /** What it may be, where it was given. */
  kinds: readonly CredentialKind[]
}

/** Undefined if there is none, it has ended, or it is for something else. */
export async function verifyCredential(
  { secret, kinds }: Credential,
  { people, clock }: { people: People; clock: Clock },
): Promise<{ pass: Pass; person: Person; allows: Allowance } | undefined> {
  const found = await people.passWith(hashOfSecret(secret), clock.now())
  if (!found) return undefined
  // Stores of earlier versions have Fever keys as tokens; what was hashed tells them apart.
  const kind = isFeverProof(secret) ? 'fever' : found.pass.kind
  return kinds.includes(kind) ? { ...found, allows: lesserOf(found.pass.allows, found.person.allows) } : undefined
}

/** Whether nobody has to log in: on request, or while there are no accounts and none is being created. */
export async function isLoginUnneeded({
  people,
  isOpen,
  isClosed,
}: {
  people: Pick<People, 'people'>
  /** Also once there are accounts. */
  isOpen: boolean
  /** Other machines can reach the server, and the first account is still to be created. */
  isClosed: () => boolean
}): Promise<boolean> {
  return isOpen || (!isClosed() && (await people.people()).length === 0)
}

/**
 * The one place where a secret becomes a user. Every credential is stored with what it is for, and every entry point names the kinds that
 * it takes: a Fever key opens Fever and nothing else, a browser's session counts as a cookie only, and a token as a token only.
 */
import type { Pass, Person } from '../model/index.ts'
import { hashOfSecret, isFeverProof } from '../people/index.ts'
import type { Clock, People } from '../ports/index.ts'

export type CredentialKind = Pass['kind']

export interface Credential {
  secret: string
  /** What it may be, where it was given. */
  kinds: readonly CredentialKind[]
}

/** Undefined if there is none, it has ended, or it is for something else. */
export async function passFor(
  { secret, kinds }: Credential,
  { people, clock }: { people: People; clock: Clock },
): Promise<{ pass: Pass; person: Person } | undefined> {
  const found = await people.passWith(hashOfSecret(secret), clock.now())
  if (!found) return undefined
  // Stores of earlier versions have Fever keys as tokens; what was hashed tells them apart.
  const kind = isFeverProof(secret) ? 'fever' : found.pass.kind
  return kinds.includes(kind) ? found : undefined
}

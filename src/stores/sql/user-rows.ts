/** Converts rows of users and credentials to the model. */
import type { Credential, CredentialId, Instant, User, UserId } from '../../model/index.ts'

export interface UserRow {
  id: UserId
  name: string
  scope: User['scope']
  password: string
  added_at: Instant
}

export interface CredentialRow {
  id: CredentialId
  user_id: UserId
  kind: Credential['kind']
  name: string
  scope: Credential['scope']
  added_at: Instant
  used_at: Instant | null
  expires_at: Instant | null
  method: Credential['method'] | null
  address: string | null
}

/** Normalizes a name, so that no two names differ only in case. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

export function userOf({ id, name, scope, added_at: addedAt }: UserRow): User {
  return { id, name, scope, addedAt }
}

export function credentialOf(row: CredentialRow): Credential {
  const { id, user_id: userId, kind, name, scope, added_at: addedAt, used_at: usedAt, expires_at: endsAt } = row
  return {
    id,
    userId,
    kind,
    name,
    scope,
    addedAt,
    ...(usedAt !== null && { usedAt }),
    ...(endsAt !== null && { endsAt }),
    ...(row.method && { method: row.method }),
    ...(row.address !== null && { address: row.address }),
  }
}

/** The JSON shapes of users and tokens, without passwords, secrets and their hashes. */
import type { IdentityShape, TokenShape, UserSessionShape, UserShape } from '../../api/index.ts'
import type { Credential, CredentialId, User } from '../../model/index.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

export function userShape({ id, name, scope, addedAt }: User): UserShape {
  return { id, name, scope, addedAt: isoDate(addedAt) }
}

export function tokenShape({ id, kind, name, scope, addedAt, usedAt }: Credential): TokenShape {
  const purpose = kind === 'fever' || kind === 'corpus' ? { for: kind } : {}
  return {
    id,
    name,
    scope,
    ...purpose,
    addedAt: isoDate(addedAt),
    ...omitUndefined({ usedAt: isoOrUndefined(usedAt) }),
  }
}

export function userSessionShape(session: Credential, current: CredentialId): UserSessionShape {
  const { id, kind, name, method, address, addedAt, usedAt, endsAt } = session
  return {
    id,
    name,
    kind: kind === 'session' ? 'browser' : 'reader',
    addedAt: isoDate(addedAt),
    ...omitUndefined({ method, address, usedAt: isoOrUndefined(usedAt), endsAt: isoOrUndefined(endsAt) }),
    ...(id === current && { isCurrent: true as const }),
  }
}

export function identityShape({ id, name, addedAt }: Credential): IdentityShape {
  return { id, name, addedAt: isoDate(addedAt) }
}

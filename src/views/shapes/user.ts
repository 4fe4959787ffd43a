/** The JSON shapes of users and tokens, without passwords, secrets and their hashes. */
import type { TokenShape, UserShape } from '../../api/index.ts'
import type { Credential, User } from '../../model/index.ts'
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

/** People and their tokens as our JSON has them: neither passwords nor secrets, nor hashes of them. */
import type { TokenShape, UserShape } from '../../api/index.ts'
import type { Pass, Person } from '../../model/index.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

export function userShape({ id, name, allows, addedAt }: Person): UserShape {
  return { id, name, allows, addedAt: isoDate(addedAt) }
}

export function tokenShape({ id, kind, name, allows, addedAt, usedAt }: Pass): TokenShape {
  const purpose = kind === 'fever' || kind === 'corpus' ? { for: kind } : {}
  return {
    id,
    name,
    allows,
    ...purpose,
    addedAt: isoDate(addedAt),
    ...omitUndefined({ usedAt: isoOrUndefined(usedAt) }),
  }
}

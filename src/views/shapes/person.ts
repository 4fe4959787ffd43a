/** People and their tokens as our JSON has them: neither passwords nor secrets, nor hashes of them. */
import type { PersonShape, TokenShape } from '../../api/index.ts'
import type { Pass, Person } from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'

export function personShape({ id, name, allows, addedAt }: Person): PersonShape {
  return { id, name, allows, addedAt: iso(addedAt) }
}

export function tokenShape({ id, kind, name, allows, addedAt, usedAt }: Pass): TokenShape {
  const purpose = kind === 'fever' || kind === 'corpus' ? { for: kind } : {}
  return { id, name, allows, ...purpose, addedAt: iso(addedAt), ...present({ usedAt: isoIfAny(usedAt) }) }
}

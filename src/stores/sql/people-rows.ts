/** Rows of people and their passes, in every store with tables, and what they say in the words of the model. */
import type { Instant, Pass, PassId, Person, PersonId } from '../../model/index.ts'

export interface PersonRow {
  id: PersonId
  name: string
  allows: Person['allows']
  password: string
  added_at: Instant
}

export interface PassRow {
  id: PassId
  person_id: PersonId
  kind: Pass['kind']
  name: string
  allows: Pass['allows']
  added_at: Instant
  used_at: Instant | null
  ends_at: Instant | null
}

/** So that no two names differ by their case alone. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

export function personOf({ id, name, allows, added_at: addedAt }: PersonRow): Person {
  return { id, name, allows, addedAt }
}

export function passOf(row: PassRow): Pass {
  const { id, person_id: personId, kind, name, allows, added_at: addedAt, used_at: usedAt, ends_at: endsAt } = row
  return {
    id,
    personId,
    kind,
    name,
    allows,
    addedAt,
    ...(usedAt !== null && { usedAt }),
    ...(endsAt !== null && { endsAt }),
  }
}

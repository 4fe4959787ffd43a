/** People, and the passes by which programs and browsers speak for them. */
import { type Instant, MINUTE, type PassId, type Person, type PersonId } from '../../model/index.ts'
import type { People } from '../../ports/index.ts'
import { foldedName, type PassRow, type PersonRow, passOf, personOf } from './people-rows.ts'
import { PERSONAL_LEAVES_FEEDS } from './personal-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'

/** What becomes of the readings of somebody who is removed. */
export type PersonRemoved = (tx: SqlTransaction, id: PersonId) => SqlWork<void>

interface PersonOfPass {
  person_name: string
  person_allows: Person['allows']
  person_added_at: Instant
}

export function peopleMethods(session: SqlSession, personRemoved: PersonRemoved): People {
  /** Locks all admins until the transaction ends: two that demote each other take turns, and the second sees what the first did. */
  function* isLastAdmin(tx: SqlTransaction, id: PersonId): SqlWork<boolean> {
    const admins = yield* tx.rows<{ id: PersonId }>(
      `SELECT id FROM people WHERE folded <> '' AND allows = 'admin' ORDER BY id ${session.dialect.forUpdate}`,
    )
    return admins.length === 1 && admins[0]?.id === id
  }

  function* changePerson(
    tx: SqlTransaction,
    id: PersonId,
    { allows, password }: Parameters<People['changePerson']>[1],
  ): SqlWork<'done' | 'gone' | 'last-admin'> {
    if (allows !== undefined && allows !== 'admin' && (yield* isLastAdmin(tx, id))) return 'last-admin'
    const changed = yield* tx.run(
      "UPDATE people SET allows = coalesce($1, allows), password = coalesce($2, password) WHERE id = $3 AND folded <> ''",
      [allows ?? null, password ?? null, id],
    )
    return changed > 0 ? 'done' : 'gone'
  }

  return {
    async firstPerson() {
      const row = await session.row<{ id: PersonId }>('SELECT id FROM people ORDER BY id LIMIT 1')
      return row!.id
    },

    async people() {
      const rows = await session.rows<PersonRow>("SELECT * FROM people WHERE folded <> '' ORDER BY id")
      return rows.map(personOf)
    },

    async personNamed(name) {
      const row = await session.row<PersonRow>("SELECT * FROM people WHERE folded = $1 AND folded <> ''", [
        foldedName(name),
      ])
      return row && { ...personOf(row), password: row.password }
    },

    addPerson({ name, allows, addedAt, password }) {
      return session.write(function* (tx) {
        const columns = [name, foldedName(name), allows, password, addedAt]
        const nameless = yield* tx.row<{ id: PersonId }>(
          `UPDATE people SET name = $1, folded = $2, allows = $3, password = $4, added_at = $5 WHERE folded = '' RETURNING id`,
          columns,
        )
        if (nameless) return nameless.id
        const added = yield* tx.insert<PersonId>(
          `INSERT INTO people (name, folded, allows, password, added_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (folded) DO NOTHING`,
          columns,
        )
        if (added === undefined) return undefined
        const all = yield* tx.row<{ count: number }>("SELECT count(*) AS count FROM people WHERE folded <> ''")
        if (all?.count === 2) for (const sql of PERSONAL_LEAVES_FEEDS) yield* tx.run(sql)
        return added
      })
    },

    changePerson: (id, change) => session.write((tx) => changePerson(tx, id, change)),

    removePerson(id) {
      return session.write(function* (tx) {
        if (yield* isLastAdmin(tx, id)) return 'last-admin'
        yield* tx.run('DELETE FROM passes WHERE person_id = $1', [id])
        if ((yield* tx.run("DELETE FROM people WHERE id = $1 AND folded <> ''", [id])) === 0) return 'gone'
        yield* personRemoved(tx, id)
        yield* tx.run(
          `INSERT INTO people (name, folded, allows, password, added_at)
           SELECT '', '', 'admin', '', 0 WHERE NOT EXISTS (SELECT 1 FROM people)`, // there is always somebody
        )
        return 'done'
      })
    },

    addPass({ personId, kind, name, allows, addedAt, usedAt, endsAt }, hash) {
      return session.write(function* (tx) {
        yield* tx.run('DELETE FROM passes WHERE person_id = $1 AND ends_at <= $2', [personId, addedAt])
        const id = yield* tx.insert<PassId>(
          `INSERT INTO passes (person_id, kind, name, allows, hash, added_at, used_at, ends_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [personId, kind, name, allows, hash, addedAt, usedAt ?? null, endsAt ?? null],
        )
        return id!
      })
    },

    async passWith(hash, now) {
      const row = await session.row<PassRow & PersonOfPass>(
        `SELECT s.*, p.name AS person_name, p.allows AS person_allows, p.added_at AS person_added_at
         FROM passes s JOIN people p ON p.id = s.person_id AND p.folded <> ''
         WHERE s.hash = $1 AND (s.ends_at IS NULL OR s.ends_at > $2)`,
        [hash, now],
      )
      if (!row) return undefined
      const { person_id: id, person_name: name, person_allows: allows, person_added_at: addedAt } = row
      const found = { pass: passOf(row), person: { id, name, allows, addedAt } }
      if (now - (found.pass.usedAt ?? 0) >= MINUTE)
        await session.run('UPDATE passes SET used_at = $1 WHERE id = $2', [now, found.pass.id])
      return found
    },

    async passesOf(id, now) {
      const rows = await session.rows<PassRow>(
        'SELECT * FROM passes WHERE person_id = $1 AND (ends_at IS NULL OR ends_at > $2) ORDER BY id',
        [id, now],
      )
      return rows.map(passOf)
    },

    removePasses(personId, which) {
      const [condition, id] = 'id' in which ? ['id = $2', which.id] : ['id <> $2', which.except ?? 0]
      return session.run(`DELETE FROM passes WHERE person_id = $1 AND ${condition}`, [personId, id])
    },
  }
}

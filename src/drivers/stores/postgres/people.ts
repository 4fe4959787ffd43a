/** People, and the passes by which programs and browsers speak for them. */
import { MINUTE, type PassId, type PersonId } from '../../../model/index.ts'
import type { People } from '../../../ports/index.ts'
import { foldedName, type PassRow, type PersonRow, passOf, personOf } from '../sql/people-rows.ts'
import { PERSONAL_LEAVES_FEEDS } from '../sql/personal-rows.ts'
import { personRemoved } from './reading-writer.ts'
import type { PostgresSession } from './session.ts'

export function peopleMethods(session: PostgresSession): People {
  return {
    async firstPerson() {
      const [row] = await session.rows<{ id: PersonId }>('SELECT id FROM people ORDER BY id LIMIT 1')
      return row!.id
    },

    people: async () =>
      (await session.rows<PersonRow>("SELECT * FROM people WHERE folded <> '' ORDER BY id")).map(personOf),

    async personNamed(name) {
      const [row] = await session.rows<PersonRow>("SELECT * FROM people WHERE folded = $1 AND folded <> ''", [
        foldedName(name),
      ])
      return row && { ...personOf(row), password: row.password }
    },

    addPerson({ name, allows, addedAt, password }) {
      return session.write(async (tx) => {
        const [first] = await tx.rows<{ id: PersonId }>(
          `UPDATE people SET name = $1, folded = $2, allows = $3, password = $4, added_at = $5 WHERE folded = '' RETURNING id`,
          [name, foldedName(name), allows, password, addedAt],
        )
        if (first) return first.id
        const [row] = await tx.rows<{ id: PersonId }>(
          `INSERT INTO people (name, folded, allows, password, added_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (folded) DO NOTHING RETURNING id`,
          [name, foldedName(name), allows, password, addedAt],
        )
        const [{ count } = { count: 0 }] = await tx.rows<{ count: number }>(
          "SELECT count(*) AS count FROM people WHERE folded <> ''",
        )
        if (row && count === 2) for (const sql of PERSONAL_LEAVES_FEEDS) await tx.run(sql)
        return row?.id
      })
    },

    changePerson(id, { allows, password }) {
      return session.write(async (tx) => {
        if (allows !== undefined && allows !== 'admin' && (await isLastAdmin(tx, id))) return 'last-admin'
        const changed = await tx.run(
          "UPDATE people SET allows = coalesce($1, allows), password = coalesce($2, password) WHERE id = $3 AND folded <> ''",
          [allows ?? null, password ?? null, id],
        )
        return changed > 0 ? 'done' : 'gone'
      })
    },

    removePerson(id) {
      return session.write(async (tx) => {
        if (await isLastAdmin(tx, id)) return 'last-admin'
        await tx.run('DELETE FROM passes WHERE person_id = $1', [id])
        if ((await tx.run("DELETE FROM people WHERE id = $1 AND folded <> ''", [id])) === 0) return 'gone'
        await personRemoved(tx, id)
        await tx.run(
          `INSERT INTO people (name, folded, allows, password, added_at)
           SELECT '', '', 'admin', '', 0 WHERE NOT EXISTS (SELECT 1 FROM people)`, // there is always somebody
        )
        return 'done'
      })
    },

    addPass({ personId, kind, name, allows, addedAt, usedAt, endsAt }, hash) {
      return session.write(async (tx) => {
        await tx.run('DELETE FROM passes WHERE person_id = $1 AND ends_at <= $2', [personId, addedAt])
        const [row] = await tx.rows<{ id: PassId }>(
          `INSERT INTO passes (person_id, kind, name, allows, hash, added_at, used_at, ends_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
          [personId, kind, name, allows, hash, addedAt, usedAt ?? null, endsAt ?? null],
        )
        return row!.id
      })
    },

    async passWith(hash, now) {
      const [pass] = await session.rows<PassRow>(
        'SELECT * FROM passes WHERE hash = $1 AND (ends_at IS NULL OR ends_at > $2)',
        [hash, now],
      )
      if (!pass) return undefined
      const [person] = await session.rows<PersonRow>("SELECT * FROM people WHERE id = $1 AND folded <> ''", [
        pass.person_id,
      ])
      if (!person) return undefined
      if (now - (pass.used_at ?? 0) >= MINUTE)
        await session.write((tx) => tx.run('UPDATE passes SET used_at = $1 WHERE id = $2', [now, pass.id]))
      return { pass: passOf(pass), person: personOf(person) }
    },

    async passesOf(id, now) {
      const rows = await session.rows<PassRow>(
        'SELECT * FROM passes WHERE person_id = $1 AND (ends_at IS NULL OR ends_at > $2) ORDER BY id',
        [id, now],
      )
      return rows.map(passOf)
    },

    removePass(personId, id) {
      return session.write(
        async (tx) => (await tx.run('DELETE FROM passes WHERE person_id = $1 AND id = $2', [personId, id])) > 0,
      )
    },

    removePasses(personId, except = 0 as PassId) {
      return session.write(async (tx) => {
        await tx.run('DELETE FROM passes WHERE person_id = $1 AND id <> $2', [personId, except])
      })
    },
  }
}

/** Locks all admins until the transaction ends: two that demote each other take turns, and the second sees what the first did. */
async function isLastAdmin(tx: Pick<PostgresSession, 'rows'>, id: PersonId): Promise<boolean> {
  const admins = await tx.rows<{ id: PersonId }>(
    "SELECT id FROM people WHERE folded <> '' AND allows = 'admin' ORDER BY id FOR UPDATE",
  )
  return admins.length === 1 && admins[0]?.id === id
}

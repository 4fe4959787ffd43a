/** People, and the passes by which programs and browsers speak for them. */
import { type Instant, MINUTE, type PassId, type PersonId } from '../../../model/index.ts'
import type { People } from '../../../ports/index.ts'
import { foldedName, type PassRow, type PersonRow, passOf, personOf } from '../sql/people-rows.ts'
import { PERSONAL_LEAVES_FEEDS } from '../sql/personal-rows.ts'
import type { ReadingWriter } from './reading-writer.ts'
import type { SqliteSession } from './session.ts'

export function peopleQueries(session: SqliteSession, readings: ReadingWriter): People {
  const { db } = session
  const all = db.prepare<[], PersonRow>("SELECT * FROM people WHERE folded <> '' ORDER BY id")
  const named = db.prepare<[string], PersonRow>("SELECT * FROM people WHERE folded = ? AND folded <> ''")
  const byId = db.prepare<[PersonId], PersonRow>("SELECT * FROM people WHERE id = ? AND folded <> ''")
  const add = db.prepare(
    'INSERT INTO people (name, folded, allows, password, added_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const first = db.prepare<[], PersonId>('SELECT id FROM people ORDER BY id LIMIT 1').pluck()
  const nameless = db.prepare<[], PersonId>("SELECT id FROM people WHERE folded = ''").pluck()
  const addNameless = db.prepare(
    "INSERT INTO people (name, folded, allows, password, added_at) VALUES ('', '', 'admin', '', 0)",
  )
  const become = db.prepare(
    'UPDATE people SET name = ?, folded = ?, allows = ?, password = ?, added_at = ? WHERE id = ?',
  )
  const change = db.prepare(
    "UPDATE people SET allows = coalesce(?, allows), password = coalesce(?, password) WHERE id = ? AND folded <> ''",
  )
  const remove = db.prepare("DELETE FROM people WHERE id = ? AND folded <> ''")
  const admins = db
    .prepare<[], PersonId>("SELECT id FROM people WHERE folded <> '' AND allows = 'admin' LIMIT 2")
    .pluck()
  const addPass = db.prepare(
    'INSERT INTO passes (person_id, kind, name, allows, hash, added_at, used_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const passWith = db.prepare<[Uint8Array, Instant], PassRow>(
    'SELECT * FROM passes WHERE hash = ? AND (ends_at IS NULL OR ends_at > ?)',
  )
  const used = db.prepare('UPDATE passes SET used_at = ? WHERE id = ?')
  const passesOf = db.prepare<[PersonId, Instant], PassRow>(
    'SELECT * FROM passes WHERE person_id = ? AND (ends_at IS NULL OR ends_at > ?) ORDER BY id',
  )
  const removePass = db.prepare('DELETE FROM passes WHERE person_id = ? AND id = ?')
  const removePasses = db.prepare('DELETE FROM passes WHERE person_id = ? AND id <> ?')
  const forgetEnded = db.prepare('DELETE FROM passes WHERE person_id = ? AND ends_at <= ?')

  function isLastAdmin(id: PersonId): boolean {
    const [one, another] = admins.all()
    return one === id && another === undefined
  }

  return {
    firstPerson: () => session.read(() => first.get()!),
    people: () => session.read(() => all.all().map(personOf)),

    personNamed(name) {
      return session.read(() => {
        const row = named.get(foldedName(name))
        return row && { ...personOf(row), password: row.password }
      })
    },

    addPerson({ name, allows, addedAt, password }) {
      return session.write(() => {
        const waits = nameless.get()
        if (waits !== undefined) {
          become.run(name, foldedName(name), allows, password, addedAt, waits)
          return waits
        }
        const { changes, lastInsertRowid } = add.run(name, foldedName(name), allows, password, addedAt)
        if (changes === 0) return undefined
        if (all.all().length === 2) for (const sql of PERSONAL_LEAVES_FEEDS) db.prepare(sql).run()
        return Number(lastInsertRowid) as PersonId
      })
    },

    changePerson(id, { allows, password }) {
      return session.write(() => {
        if (allows !== undefined && allows !== 'admin' && isLastAdmin(id)) return 'last-admin'
        return change.run(allows ?? null, password ?? null, id).changes > 0 ? 'done' : 'gone'
      })
    },

    removePerson(id) {
      return session.write(() => {
        if (isLastAdmin(id)) return 'last-admin'
        removePasses.run(id, 0)
        if (remove.run(id).changes === 0) return 'gone'
        readings.personRemoved(id)
        if (first.get() === undefined) addNameless.run() // there is always somebody
        return 'done'
      })
    },

    addPass({ personId, kind, name, allows, addedAt, usedAt, endsAt }, hash) {
      return session.write(() => {
        forgetEnded.run(personId, addedAt)
        const row = addPass.run(personId, kind, name, allows, hash, addedAt, usedAt ?? null, endsAt ?? null)
        return Number(row.lastInsertRowid) as PassId
      })
    },

    async passWith(hash, now) {
      const found = await session.read(() => {
        const row = passWith.get(hash, now)
        const person = row && byId.get(row.person_id)
        return row && person && { pass: passOf(row), person: personOf(person) }
      })
      if (found && now - (found.pass.usedAt ?? 0) >= MINUTE)
        await session.write(() => void used.run(now, found.pass.id))
      return found
    },

    passesOf: (id, now) => session.read(() => passesOf.all(id, now).map(passOf)),
    removePass: (personId, id) => session.write(() => removePass.run(personId, id).changes > 0),
    removePasses: (personId, except = 0 as PassId) => session.write(() => void removePasses.run(personId, except)),
  }
}

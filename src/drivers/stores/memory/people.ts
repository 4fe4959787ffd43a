/** People, and the passes by which programs and browsers speak for them. */
import { MINUTE, type Pass, type PassId, type Person, type PersonId } from '../../../model/index.ts'
import type { People } from '../../../ports/index.ts'
import { copyOf } from './copy.ts'

export function memoryPeople(): People {
  const people = new Map<PersonId, Person & { password: string }>()
  const passes = new Map<PassId, { pass: Pass; hash: string }>()
  let [lastPerson, lastPass] = [0, 0]
  const folded = (name: string) => name.normalize('NFKC').toLowerCase()
  const bare = ({ password: _, ...person }: Person & { password: string }): Person => ({ ...person })
  const named = (name: string) => [...people.values()].find((person) => folded(person.name) === folded(name))
  const textOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex')

  return {
    people: async () => [...people.values()].map(bare),
    personNamed: async (name) => copyOf(named(name)),

    async addPerson(person) {
      if (named(person.name)) return undefined
      const id = ++lastPerson as PersonId
      people.set(id, { id, ...person })
      return id
    },

    async changePerson(id, change) {
      const person = people.get(id)
      if (person) Object.assign(person, change)
      return person !== undefined
    },

    async removePerson(id) {
      for (const { pass } of [...passes.values()]) if (pass.personId === id) passes.delete(pass.id)
      return people.delete(id)
    },

    async addPass(pass, hash) {
      const id = ++lastPass as PassId
      passes.set(id, { pass: { id, ...pass }, hash: textOf(hash) })
      return id
    },

    async passWith(hash, now) {
      const held = [...passes.values()].find((one) => one.hash === textOf(hash))
      const person = held && people.get(held.pass.personId)
      if (!held || !person || (held.pass.endsAt ?? Number.POSITIVE_INFINITY) <= now) return undefined
      if (now - (held.pass.usedAt ?? 0) >= MINUTE) held.pass.usedAt = now
      return copyOf({ pass: held.pass, person: bare(person) })
    },

    async passesOf(id, now) {
      const own = [...passes.values()].map(({ pass }) => pass).filter(({ personId }) => personId === id)
      return copyOf(own.filter(({ endsAt = Number.POSITIVE_INFINITY }) => endsAt > now))
    },

    async removePass(personId, id) {
      return passes.get(id)?.pass.personId === personId && passes.delete(id)
    },

    async removePasses(personId, except) {
      for (const { pass } of [...passes.values()])
        if (pass.personId === personId && pass.id !== except) passes.delete(pass.id)
    },
  }
}

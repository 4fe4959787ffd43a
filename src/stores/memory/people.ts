/** People, and the passes by which programs and browsers speak for them. */
import { MINUTE, type PassId, type Person, type PersonId } from '../../model/index.ts'
import type { People } from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import { letGoOfPerson, personalLeavesFeeds } from './reading-changes.ts'
import type { State } from './state.ts'

export function peopleOf(state: State): People {
  const { people, passes, last } = state.readers
  /** Who has no name yet: he becomes the first account. */
  let nameless: PersonId | undefined
  const folded = (name: string) => name.normalize('NFKC').toLowerCase()
  const bare = ({ password: _, ...person }: Person & { password: string }): Person => ({ ...person })
  const named = (name: string) => [...people.values()].find((person) => folded(person.name) === folded(name))
  const isLastAdmin = (id: PersonId) => {
    const admins = [...people.values()].filter(({ allows }) => allows === 'admin')
    return admins.length === 1 && admins[0]?.id === id
  }
  const textOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex')

  return {
    async firstPerson() {
      const [first] = people.keys()
      if (first !== undefined) return first
      nameless ??= ++last.person as PersonId
      return nameless
    },

    people: async () => [...people.values()].map(bare),
    personNamed: async (name) => copyOf(named(name)),

    async addPerson(person) {
      if (named(person.name)) return undefined
      const id = nameless ?? (++last.person as PersonId)
      nameless = undefined
      people.set(id, { id, ...person })
      if (people.size === 2) personalLeavesFeeds(state)
      return id
    },

    async changePerson(id, change) {
      const person = people.get(id)
      if (!person) return 'gone'
      if (change.allows !== undefined && change.allows !== 'admin' && isLastAdmin(id)) return 'last-admin'
      Object.assign(person, change)
      return 'done'
    },

    async removePerson(id) {
      if (isLastAdmin(id)) return 'last-admin'
      for (const { pass } of [...passes.values()]) if (pass.personId === id) passes.delete(pass.id)
      if (!people.delete(id)) return 'gone'
      letGoOfPerson(state, id)
      return 'done'
    },

    async addPass(pass, hash) {
      const id = ++last.pass as PassId
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

    async removePasses(personId, which) {
      const isMeant = (id: PassId) => ('id' in which ? id === which.id : id !== which.except)
      const own = [...passes.values()].filter(({ pass }) => pass.personId === personId && isMeant(pass.id))
      for (const { pass } of own) passes.delete(pass.id)
      return own.length
    },
  }
}

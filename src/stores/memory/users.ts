/** Users of the memory store, and their credentials. */
import { type Credential, type CredentialId, MINUTE, type User, type UserId } from '../../model/index.ts'
import { MAX_ONE_TIME_VALUES, type Users } from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import type { State } from './state.ts'
import { clearPersonalFields, removeUserData } from './subscription-changes.ts'

export function usersOf(state: State): Users {
  const { users, credentials, oneTimeValues, lastIds } = state.readers
  const { readers } = state
  const folded = (name: string) => name.normalize('NFKC').toLowerCase()
  const withoutPassword = ({ password: _, ...user }: User & { password: string }): User => ({ ...user })
  const findByName = (name: string) => [...users.values()].find((user) => folded(user.name) === folded(name))
  const isLastAdmin = (id: UserId) => {
    const admins = [...users.values()].filter(({ scope }) => scope === 'admin')
    return admins.length === 1 && admins[0]?.id === id
  }
  const hexOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex')

  return {
    async firstUser() {
      const [first] = users.keys()
      if (first !== undefined) return first
      readers.unnamedUser ??= ++lastIds.user as UserId
      return readers.unnamedUser
    },

    allUsers: async () => [...users.values()].map(withoutPassword),
    userByName: async (name) => copyOf(findByName(name)),

    async addUser(user) {
      if (findByName(user.name)) return undefined
      const id = readers.unnamedUser ?? (++lastIds.user as UserId)
      readers.unnamedUser = undefined
      users.set(id, { id, ...user })
      if (users.size === 2) clearPersonalFields(state)
      return id
    },

    async changeUser(id, change) {
      const user = users.get(id)
      if (!user) return 'gone'
      if (change.scope !== undefined && change.scope !== 'admin' && isLastAdmin(id)) return 'last-admin'
      Object.assign(user, change)
      return 'done'
    },

    async removeUser(id) {
      if (isLastAdmin(id)) return 'last-admin'
      for (const { credential } of [...credentials.values()])
        if (credential.userId === id) credentials.delete(credential.id)
      if (!users.delete(id)) return 'gone'
      removeUserData(state, id)
      return 'done'
    },

    async addCredential(credential, hash) {
      const id = ++lastIds.credential as CredentialId
      credentials.set(id, { credential: { id, ...credential }, hash: hexOf(hash) })
      return id
    },

    async credentialByHash(hash, now) {
      const stored = [...credentials.values()].find((one) => one.hash === hexOf(hash))
      const user = stored && users.get(stored.credential.userId)
      if (!stored || !user || (stored.credential.endsAt ?? Number.POSITIVE_INFINITY) <= now) return undefined
      if (now - (stored.credential.usedAt ?? 0) >= MINUTE) stored.credential.usedAt = now
      return copyOf({ credential: stored.credential, user: withoutPassword(user) })
    },

    async credentialsOf(id, now) {
      const matching = [...credentials.values()]
        .map(({ credential }) => credential)
        .filter(({ userId }) => userId === id)
      return copyOf(matching.filter(({ endsAt = Number.POSITIVE_INFINITY }) => endsAt > now))
    },

    async removeCredentials(userId, selection) {
      const isSelected = ({ id, kind }: Credential) =>
        'id' in selection ? id === selection.id : id !== selection.except && kind !== 'identity'
      const matching = [...credentials.values()].filter(
        ({ credential }) => credential.userId === userId && isSelected(credential),
      )
      for (const { credential } of matching) credentials.delete(credential.id)
      return matching.length
    },

    async addOneTimeValue(added, now) {
      for (const [key, { purpose, endsAt }] of oneTimeValues)
        if (purpose === added.purpose && endsAt <= now) oneTimeValues.delete(key)
      const key = `${added.purpose} ${hexOf(added.hash)}`
      if (oneTimeValues.has(key)) return false
      oneTimeValues.set(key, copyOf(added))
      const ofPurpose = [...oneTimeValues].filter(([, { purpose }]) => purpose === added.purpose)
      ofPurpose.sort(([, a], [, b]) => b.endsAt - a.endsAt)
      for (const [excess] of ofPurpose.slice(MAX_ONE_TIME_VALUES)) oneTimeValues.delete(excess)
      return true
    },

    async takeOneTimeValue(purpose, hash, now) {
      const key = `${purpose} ${hexOf(hash)}`
      const taken = oneTimeValues.get(key)
      oneTimeValues.delete(key)
      return taken && taken.endsAt > now ? taken.value : undefined
    },
  }
}

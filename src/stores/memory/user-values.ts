/** Small JSON values of users in the memory store. */
import { USER_VALUE_KINDS, type UserValues } from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import { isUser, type MemoryUserValue } from './reader-state.ts'
import type { State } from './state.ts'

const byKey = (a: MemoryUserValue, b: MemoryUserValue) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))
const newestFirst = (a: MemoryUserValue, b: MemoryUserValue) => b.changedAt - a.changedAt || byKey(b, a)

export function userValuesOf({ readers }: State): UserValues {
  const valuesOf = (userId: number, kind: string) =>
    [...readers.values.values()].filter((value) => value.userId === userId && value.kind === kind)

  return {
    async userValues(userId, kind, { keys, changedBefore = Number.POSITIVE_INFINITY, limit }) {
      return valuesOf(userId, kind)
        .filter(({ key, changedAt }) => (keys?.includes(key) ?? true) && changedAt < changedBefore)
        .sort(newestFirst)
        .slice(0, limit)
        .map(({ key, value, changedAt }) => ({ key, value: copyOf(value), changedAt }))
    },

    async putUserValues(userId, kind, changes, at) {
      if (!isUser(readers, userId)) return
      for (const { key, value } of changes) {
        const place = `${userId} ${kind} ${key}`
        if (value === undefined) readers.values.delete(place)
        else readers.values.set(place, { userId, kind, key, value: copyOf(value), changedAt: at })
      }
      for (const { key } of valuesOf(userId, kind).sort(newestFirst).slice(USER_VALUE_KINDS[kind]))
        readers.values.delete(`${userId} ${kind} ${key}`)
    },

    async *everyUserValue(kind) {
      const values = [...readers.values.values()].filter((value) => value.kind === kind)
      for (const { userId, key, value, changedAt } of values.sort((a, b) => a.userId - b.userId || byKey(a, b)))
        yield { userId, key, value: copyOf(value), changedAt }
    },
  }
}

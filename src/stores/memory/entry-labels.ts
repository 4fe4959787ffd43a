/** Labels of users and muted entries in the memory store. */
import type { EntryId, UserId } from '../../model/index.ts'
import { type EntryLabels, foldedLabel, MAX_LABELS } from '../../ports/index.ts'
import { isUser, type MemoryLabel, type ReadersState } from './reader-state.ts'
import type { State } from './state.ts'
import { ofUser } from './subscription-changes.ts'

const byFoldedName = ([a]: [string, MemoryLabel], [b]: [string, MemoryLabel]) =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

export function labelsOfEntry({ labels }: ReadersState, userId: UserId, id: EntryId): string[] {
  const inOrder = [...(labels.get(userId) ?? [])].sort(byFoldedName)
  return inOrder.flatMap(([, { name, entries }]) => (entries.has(id) ? [name] : []))
}

export function entryLabelsOf(state: State): Omit<EntryLabels, 'muteEntries'> {
  const { readers } = state
  const labelsOf = (userId: UserId) => ofUser(readers.labels, userId, () => new Map<string, MemoryLabel>())
  const existing = (ids: EntryId[]) => [...new Set(ids)].filter((id) => state.entries.has(id))

  return {
    async labelsOf(userId) {
      const inOrder = [...labelsOf(userId)].sort(byFoldedName)
      return inOrder.map(([, { name, entries }]) => ({ name, entries: entries.size }))
    },

    async labelEntries(userId, ids, { add = [], remove = [] }) {
      if (!isUser(readers, userId)) return []
      const labels = labelsOf(userId)
      const missing = new Map(add.map((name) => [foldedLabel(name), name]))
      for (const folded of labels.keys()) missing.delete(folded)
      if (missing.size > 0 && labels.size + missing.size > MAX_LABELS) return 'too-many-labels'
      for (const [folded, name] of missing) labels.set(folded, { name, entries: new Set() })
      const entriesOf = (names: readonly string[]) =>
        names.flatMap((name) => labels.get(foldedLabel(name))?.entries ?? [])
      return existing(ids).filter((id) => {
        const added = entriesOf(add).filter((entries) => !entries.has(id) && entries.add(id))
        const removed = entriesOf(remove).filter((entries) => entries.delete(id))
        return added.length + removed.length > 0
      })
    },

    async renameLabel(userId, from, to) {
      const labels = labelsOf(userId)
      const [old, folded] = [foldedLabel(from), foldedLabel(to ?? '')]
      const label = labels.get(old)
      if (!label) return 'unknown'
      if (to !== null && folded !== old && labels.has(folded)) return 'taken'
      labels.delete(old)
      if (to !== null) labels.set(folded, { ...label, name: to })
      return 'done'
    },

    hasMuted: async (userId) => (readers.muted.get(userId)?.size ?? 0) > 0,
  }
}

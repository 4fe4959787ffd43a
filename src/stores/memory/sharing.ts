/** Saved searches, outgoing feeds and webhooks of the memory store. */
import { type FeedOutId, MINUTE, type SavedSearchId, type WebhookId } from '../../model/index.ts'
import type { Sharing } from '../../ports/index.ts'
import { sharingByKind } from '../methods.ts'
import { copyOf } from './copy.ts'
import type { State } from './state.ts'

export function sharingOf({ readers }: State): Sharing {
  const { searches, feedsOut, webhooks, lastIds } = readers
  const folded = (name: string) => name.normalize('NFKC').toLowerCase()
  const itemsOf = <Thing extends { userId: number }>(things: Map<number, Thing>, userId: number) =>
    copyOf([...things.values()].filter((thing) => thing.userId === userId))
  const isNameUsed = (userId: number, name: string, except?: number) =>
    [...searches.values()].some(
      (item) => item.userId === userId && item.id !== except && folded(item.name) === folded(name),
    )

  function change<Thing extends { userId: number }>(
    things: Map<number, Thing>,
    userId: number,
    id: number,
    changed: Record<string, unknown>,
  ): boolean {
    const thing = things.get(id)
    if (thing?.userId !== userId) return false
    for (const [name, value] of Object.entries(copyOf(changed)))
      if (value === null) delete thing[name as keyof Thing]
      else if (value !== undefined) Object.assign(thing, { [name]: value })
    return true
  }

  function remove<Thing extends { userId: number }>(things: Map<number, Thing>, userId: number, id: number) {
    return things.get(id)?.userId === userId && things.delete(id)
  }

  const byKind = sharingByKind({
    search: {
      list: async (userId) => itemsOf(searches, userId),
      async add(search) {
        if (isNameUsed(search.userId, search.name)) return undefined
        const id = ++lastIds.shared as SavedSearchId
        searches.set(id, { id, ...copyOf(search) })
        return id
      },
      async change(userId, id, changed) {
        if (changed.name !== undefined && isNameUsed(userId, changed.name, id)) return false
        return change(searches, userId, id, changed)
      },
    },
    feedOut: {
      list: async (userId) => itemsOf(feedsOut, userId),
      async add(feedOut) {
        const id = ++lastIds.shared as FeedOutId
        feedsOut.set(id, { id, ...copyOf(feedOut) })
        return id
      },
      change: async (userId, id, changed) => change(feedsOut, userId, id, changed),
    },
    webhook: {
      list: async (userId) => itemsOf(webhooks, userId),
      async add(webhook) {
        const id = ++lastIds.shared as WebhookId
        webhooks.set(id, { id, ...copyOf(webhook), failures: 0 })
        return id
      },
      change: async (userId, id, changed) => change(webhooks, userId, id, changed),
    },
  })

  return {
    ...byKind,
    async removeSharedItem(kind, userId, id) {
      if (kind === 'feedOut') return remove(feedsOut, userId, id)
      if (kind === 'webhook') return remove(webhooks, userId, id)
      if (!remove(searches, userId, id)) return false
      for (const item of [...feedsOut.values()])
        if (item.of.kind === 'search' && item.of.searchId === id) feedsOut.delete(item.id)
      for (const item of [...webhooks.values()]) if (item.searchId === id) webhooks.delete(item.id)
      return true
    },

    async feedOutByKey(key, now) {
      const found = [...feedsOut.values()].find((item) => item.key === key)
      if (found && now - (found.usedAt ?? 0) >= MINUTE) found.usedAt = now
      return copyOf(found)
    },

    async dueWebhooks(now, limit) {
      const due = [...webhooks.values()].filter(({ state, dueAt }) => state === 'active' && dueAt <= now)
      return copyOf(due.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id).slice(0, limit))
    },
    async nextWebhookAt() {
      const dates = [...webhooks.values()].filter(({ state }) => state === 'active').map(({ dueAt }) => dueAt)
      return dates.length > 0 ? Math.min(...dates) : undefined
    },
    async recordDelivery(id, { state, ...progress }) {
      const webhook = webhooks.get(id)
      if (webhook) Object.assign(webhook, copyOf(progress), webhook.state !== 'paused' && { state })
      return webhook !== undefined
    },
  }
}

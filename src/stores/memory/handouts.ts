/** Saved searches, feeds of people's own, and webhooks. */
import { type FeedOutId, MINUTE, type SavedSearchId, type WebhookId } from '../../model/index.ts'
import type { Handouts } from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import type { State } from './state.ts'

export function handoutsOf({ readers }: State): Handouts {
  const { searches, feedsOut, webhooks, last } = readers
  const folded = (name: string) => name.normalize('NFKC').toLowerCase()
  const ownOf = <Thing extends { personId: number }>(things: Map<number, Thing>, personId: number) =>
    copyOf([...things.values()].filter((thing) => thing.personId === personId))
  const isNamed = (personId: number, name: string, except?: number) =>
    [...searches.values()].some(
      (one) => one.personId === personId && one.id !== except && folded(one.name) === folded(name),
    )

  function change<Thing extends { personId: number }>(
    things: Map<number, Thing>,
    personId: number,
    id: number,
    changed: Record<string, unknown>,
  ): boolean {
    const thing = things.get(id)
    if (thing?.personId !== personId) return false
    for (const [name, value] of Object.entries(copyOf(changed)))
      if (value === null) delete thing[name as keyof Thing]
      else if (value !== undefined) Object.assign(thing, { [name]: value })
    return true
  }

  function remove<Thing extends { personId: number }>(things: Map<number, Thing>, personId: number, id: number) {
    return things.get(id)?.personId === personId && things.delete(id)
  }

  return {
    savedSearches: async (personId) => ownOf(searches, personId),
    async addSavedSearch(search) {
      if (isNamed(search.personId, search.name)) return undefined
      const id = ++last.handout as SavedSearchId
      searches.set(id, { id, ...copyOf(search) })
      return id
    },
    async changeSavedSearch(personId, id, changed) {
      if (changed.name !== undefined && isNamed(personId, changed.name, id)) return false
      return change(searches, personId, id, changed)
    },
    async removeHandout(personId, what) {
      if ('feedOutId' in what) return remove(feedsOut, personId, what.feedOutId)
      if ('webhookId' in what) return remove(webhooks, personId, what.webhookId)
      const id = what.searchId
      if (!remove(searches, personId, id)) return false
      for (const one of [...feedsOut.values()])
        if (one.of.kind === 'search' && one.of.searchId === id) feedsOut.delete(one.id)
      for (const one of [...webhooks.values()]) if (one.searchId === id) webhooks.delete(one.id)
      return true
    },

    feedsOut: async (personId) => ownOf(feedsOut, personId),
    async addFeedOut(feedOut) {
      const id = ++last.handout as FeedOutId
      feedsOut.set(id, { id, ...copyOf(feedOut) })
      return id
    },
    changeFeedOut: async (personId, id, changed) => change(feedsOut, personId, id, changed),
    async feedOutWith(key, now) {
      const found = [...feedsOut.values()].find((one) => one.key === key)
      if (found && now - (found.usedAt ?? 0) >= MINUTE) found.usedAt = now
      return copyOf(found)
    },

    webhooks: async (personId) => ownOf(webhooks, personId),
    async addWebhook(webhook) {
      const id = ++last.handout as WebhookId
      webhooks.set(id, { id, ...copyOf(webhook), failures: 0 })
      return id
    },
    changeWebhook: async (personId, id, changed) => change(webhooks, personId, id, changed),
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

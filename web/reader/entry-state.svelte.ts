/**
 * Read and starred state of entries. A change is shown at once and sent a moment later, several together. The server's state counts
 * until the user changes it here. Every change can be undone.
 */
import { SvelteMap } from 'svelte/reactivity'
import { api, errorMessage } from '../shell/api.ts'
import { notices } from '../shell/notices.svelte.ts'
import { session } from '../shell/session.svelte.ts'
import { words } from '../words.ts'
import { subscriptions } from './subscriptions.svelte.ts'

export interface Marked {
  id: number
  feedId: number
  read?: boolean | undefined
  starred?: boolean | undefined
}

const GATHER_MS = 250

class EntryState {
  #read = new SvelteMap<number, boolean>()
  #starred = new SvelteMap<number, boolean>()
  #waiting = new Map<number, { entry: Marked; isRead: boolean }>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Entries of feeds that the user does not follow count as read. */
  isRead({ id, read }: Marked): boolean {
    return this.#read.get(id) ?? read ?? true
  }

  isStarred({ id, starred }: Marked): boolean {
    return this.#starred.get(id) ?? starred ?? false
  }

  setRead(entries: readonly Marked[], isRead: boolean): void {
    const changed = entries.filter((entry) => entry.read !== undefined && this.isRead(entry) !== isRead)
    this.#show(changed, isRead)
    if (!session.canWrite) return // the server would refuse it
    for (const entry of changed) this.#waiting.set(entry.id, { entry, isRead })
    this.#timer ??= setTimeout(() => void this.#send(), GATHER_MS)
  }

  /** Marks a whole list as read, up to the newest entry that was loaded. `scope` names the list for the server. */
  async markAllRead(entries: readonly Marked[], scope: { feed?: number; folder?: string } | undefined): Promise<void> {
    const unread = entries.filter((entry) => !this.isRead(entry))
    if (!scope) {
      if (unread.length === 0) return
      this.setRead(unread, true)
      notices.show(words.read.markedRead(unread.length), { undo: () => this.setRead(unread, false) })
      return
    }
    try {
      await this.#send() // earlier changes go first
      const upTo = Math.max(...entries.map(({ id }) => id))
      const { change, marked } = await api.markAllRead({ body: { ...scope, upTo } })
      this.#show(unread, true)
      notices.show(words.read.markedRead(marked), {
        undo: () => {
          this.#show(unread, false)
          void api.undoMarks({ body: { change } }).then(() => subscriptions.load())
        },
      })
    } catch (error) {
      notices.show(errorMessage(error), { kind: 'error' })
    }
  }

  async setStarred(entry: Marked, isStarred: boolean): Promise<void> {
    this.#starred.set(entry.id, isStarred)
    try {
      await api.markEntries({ body: { entries: [entry.id], as: isStarred ? 'starred' : 'unstarred' } })
      void subscriptions.load()
    } catch (error) {
      this.#starred.set(entry.id, !isStarred)
      notices.show(errorMessage(error), { kind: 'error' })
    }
  }

  #show(entries: readonly Marked[], isRead: boolean): void {
    const byFeed = new Map<number, number>()
    for (const { id, feedId } of entries) {
      this.#read.set(id, isRead)
      byFeed.set(feedId, (byFeed.get(feedId) ?? 0) + (isRead ? -1 : 1))
    }
    if (byFeed.size > 0) subscriptions.recount(byFeed)
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const sent = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const isRead of [true, false]) {
      const some = sent.filter((one) => one.isRead === isRead).map(({ entry }) => entry)
      if (some.length === 0) continue
      try {
        await api.markEntries({ body: { entries: some.map(({ id }) => id), as: isRead ? 'read' : 'unread' } })
      } catch (error) {
        this.#show(some, !isRead)
        notices.show(errorMessage(error), { kind: 'error' })
      }
    }
  }
}

export const entryState = new EntryState()

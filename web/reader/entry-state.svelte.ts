/**
 * Read and starred state of entries. A change is shown at once and sent a moment later, several together. The server's state counts
 * until the user changes it here. Every change can be undone. While the server is unreachable, changes wait in a queue
 * (shell/mark-queue.ts) and are sent when it is back, also by the next page.
 */
import { SvelteMap } from 'svelte/reactivity'
import { api, errorMessage, isUnreachable } from '../shell/api.ts'
import { live } from '../shell/live.svelte.ts'
import { dequeueMarks, type MarkKind, type QueuedMark, queuedMarks, queueMarks } from '../shell/mark-queue.ts'
import { notices } from '../shell/notices.svelte.ts'
import { session } from '../shell/session.svelte.ts'
import { words } from '../words.ts'
import { subscriptions } from './subscriptions.svelte.ts'

export interface Marked {
  id: number
  feedId: number
  read?: boolean | undefined
  starred?: boolean | undefined
  labels?: string[] | undefined
}

const GATHER_MS = 250
const RETRY_MS = 20_000
/** The server accepts ten times as many. */
const MOST_SENT = 1000

class EntryState {
  /** Changes that wait for the server. */
  queued = $state(0)
  #read = new SvelteMap<number, boolean>()
  #starred = new SvelteMap<number, boolean>()
  #labels = new SvelteMap<number, string[]>()
  #waiting = new Map<number, { entry: Marked; isRead: boolean }>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  #lastSent = Promise.resolve()

  constructor() {
    live.on('reconnected', () => void this.sendQueued())
  }

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

  /** Sends changes that wait for more of them, so that what is loaded next reflects them. */
  flush(): Promise<void> {
    return this.#send()
  }

  /** Marks a whole list as read, up to the newest entry that was loaded. `scope` names the list for the server. */
  async markAllRead(entries: readonly Marked[], scope: { feed?: number; folder?: string } | undefined): Promise<void> {
    const unread = entries.filter((entry) => !this.isRead(entry))
    if (!scope || live.isUnreachable) {
      this.#markLoaded(unread)
      return
    }
    try {
      await this.flush() // earlier changes go first
      const upTo = Math.max(...entries.map(({ id }) => id))
      const { change, marked } = await api.markAllRead({ body: { ...scope, upTo } })
      this.#show(unread, true)
      notices.show(words.read.markedRead({ count: marked }), {
        undo: () => {
          this.#show(unread, false)
          void api.undoMarks({ body: { change } }).then(() => subscriptions.load())
        },
      })
    } catch (error) {
      if (isUnreachable(error)) this.#markLoaded(unread)
      else notices.show(errorMessage(error), { kind: 'error' })
    }
  }

  #markLoaded(unread: readonly Marked[]): void {
    if (unread.length === 0) return
    this.setRead(unread, true)
    notices.show(words.read.markedRead({ count: unread.length }), { undo: () => this.setRead(unread, false) })
  }

  async setStarred(entry: Marked, isStarred: boolean): Promise<void> {
    this.#starred.set(entry.id, isStarred)
    try {
      await this.#sendOrQueue('starred', [entry], isStarred)
      void subscriptions.load().catch(() => {})
    } catch (error) {
      this.#starred.set(entry.id, !isStarred)
      notices.show(errorMessage(error), { kind: 'error' })
    }
  }

  labelsOf({ id, labels }: Marked): string[] {
    return this.#labels.get(id) ?? labels ?? []
  }

  /** Adds or removes a label; a new one is created. */
  async setLabel(entry: Marked, name: string, isSet: boolean): Promise<void> {
    const before = this.labelsOf(entry)
    const others = before.filter((one) => one.toLowerCase() !== name.toLowerCase())
    this.#labels.set(entry.id, isSet ? [...others, name].sort((a, b) => a.localeCompare(b)) : others)
    try {
      await api.labelEntries({ body: { entries: [entry.id], ...(isSet ? { add: [name] } : { remove: [name] }) } })
      void subscriptions.load().catch(() => {})
    } catch (error) {
      this.#labels.set(entry.id, before)
      notices.show(errorMessage(error), { kind: 'error' })
    }
  }

  /** Shows and sends what waits from before, such as from a page that was closed offline. */
  async sendQueued(): Promise<void> {
    this.#sending ??= this.#sendQueue().finally(() => (this.#sending = undefined))
    await this.#sending
  }

  async #sendQueue(): Promise<void> {
    if (!session.canWrite) return
    const marks = await queuedMarks(userName())
    this.queued = marks.length
    for (const { kind, entryId, isSet } of marks) (kind === 'read' ? this.#read : this.#starred).set(entryId, isSet)
    if (marks.length === 0 || live.isUnreachable) return
    const groups = Map.groupBy(marks, ({ kind, isSet }) => nameOf(kind, isSet))
    for (const [as, group] of groups) {
      for (let from = 0; from < group.length; from += MOST_SENT) {
        const some = group.slice(from, from + MOST_SENT)
        try {
          await api.markEntries({ body: { entries: some.map(({ entryId }) => entryId), as } })
        } catch (error) {
          if (isUnreachable(error)) {
            this.#retrySoon()
            return
          }
          notices.show(errorMessage(error), { kind: 'error' }) // it would be refused again: the server's state counts
        }
        await dequeueMarks(some)
      }
    }
    this.queued = (await queuedMarks(userName())).length
    await subscriptions.load().catch(() => {})
  }

  #retrySoon(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.sendQueued(), RETRY_MS)
  }

  #show(entries: readonly Marked[], isRead: boolean): void {
    const byFeed = new Map<number, number>()
    for (const { id, feedId } of entries) {
      this.#read.set(id, isRead)
      byFeed.set(feedId, (byFeed.get(feedId) ?? 0) + (isRead ? -1 : 1))
    }
    if (byFeed.size > 0) subscriptions.recount(byFeed)
  }

  /** One after the other, so that whoever waits for the last one waits for all. */
  #send(): Promise<void> {
    this.#lastSent = this.#lastSent.then(() => this.#sendWaiting())
    return this.#lastSent
  }

  async #sendWaiting(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const sent = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const isRead of [true, false]) {
      const some = sent.filter((one) => one.isRead === isRead).map(({ entry }) => entry)
      if (some.length === 0) continue
      try {
        await this.#sendOrQueue('read', some, isRead)
      } catch (error) {
        this.#show(some, !isRead)
        notices.show(errorMessage(error), { kind: 'error' })
      }
    }
  }

  /** While changes wait, new ones wait behind them: an older one must not arrive later. */
  async #sendOrQueue(kind: MarkKind, entries: readonly Marked[], isSet: boolean): Promise<void> {
    if (this.queued === 0) {
      try {
        await api.markEntries({ body: { entries: entries.map(({ id }) => id), as: nameOf(kind, isSet) } })
        return
      } catch (error) {
        if (!isUnreachable(error)) throw error
      }
    }
    const [user, at] = [userName(), Date.now()]
    const marks = entries.map(({ id, feedId }): QueuedMark => ({ kind, entryId: id, feedId, isSet, user, at }))
    await queueMarks(marks)
    this.queued = (await queuedMarks(user)).length
    if (!live.isUnreachable) void this.sendQueued()
  }
}

const userName = () => session.user?.name ?? ''

function nameOf(kind: MarkKind, isSet: boolean): 'read' | 'unread' | 'starred' | 'unstarred' {
  if (kind === 'read') return isSet ? 'read' : 'unread'
  return isSet ? 'starred' : 'unstarred'
}

export const entryState = new EntryState()

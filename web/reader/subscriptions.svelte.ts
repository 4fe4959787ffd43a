/**
 * The user's subscriptions for the sidebar, by folder, with unread counts. The number is limited; the dashboard lists the others. Counts
 * change at once when the user reads, and are reloaded a little later.
 */
import type { FollowedFeedShape, SavedSearchShape } from '../../src/api/index.ts'
import { api } from '../shell/api.ts'
import { live } from '../shell/live.svelte.ts'
import { leavingFeeds } from './leaving-feeds.svelte.ts'

export interface Subscription extends FollowedFeedShape {
  id: number
}

export interface Folder {
  name: string
  unread: number
  feeds: Subscription[]
}

/** Unread and starred counts, in total and by folder. */
type Standing = Awaited<ReturnType<typeof api.getReadState>>

const MOST_SHOWN = 500
const REST_MS = 3000

class Subscriptions {
  #all = $state.raw<Subscription[]>([])
  standing = $state.raw<Standing | undefined>()
  searches = $state.raw<SavedSearchShape[]>([])
  labels = $state.raw<{ name: string; entries: number }[]>([])
  hasMore = $state(false)
  isLoaded = $state(false)
  feeds = $derived(this.#all.filter(({ id }) => !leavingFeeds.has(id)))
  #byId = $derived(new Map(this.feeds.map((feed) => [feed.id, feed])))
  #timer: ReturnType<typeof setTimeout> | undefined

  folders = $derived.by((): Folder[] => {
    const byName = Map.groupBy(
      this.feeds.filter(({ folder }) => folder),
      ({ folder }) => folder ?? '',
    )
    const counted = new Map(this.standing?.folders.map(({ folder = '', unread }) => [folder, unread]))
    return [...byName]
      .map(([name, feeds]) => ({ name, feeds: feeds.toSorted(byTitle), unread: counted.get(name) ?? 0 }))
      .sort((a, b) => a.name.localeCompare(b.name))
  })
  loose = $derived(this.feeds.filter(({ folder }) => !folder).toSorted(byTitle))

  constructor() {
    live.on('entry', () => this.#reloadSoon())
    live.on('poll', ({ feedId }) => {
      if (!this.#byId.has(feedId) && !this.hasMore) this.#reloadSoon()
    })
    live.on('reconnected', () => this.#reloadSoon())
  }

  async load(): Promise<void> {
    const [{ subscriptions, next }, standing, { searches }, { labels }] = await Promise.all([
      api.listSubscriptions({ query: { limit: MOST_SHOWN } }),
      api.getReadState(),
      api.listSearches(),
      api.listLabels(),
    ])
    this.#all = subscriptions.map((one) => ({ ...one, id: one.feedId }))
    this.standing = standing
    this.searches = searches
    this.labels = labels
    this.hasMore = next !== undefined
    this.isLoaded = true
  }

  feed(id: number): Subscription | undefined {
    return this.#byId.get(id)
  }

  /** Changes the unread counts of feeds. */
  recount(byFeed: ReadonlyMap<number, number>): void {
    const folders = new Map<string, number>()
    let sum = 0
    this.#all = this.#all.map((feed) => {
      const change = byFeed.get(feed.id)
      if (change === undefined) return feed
      sum += change
      folders.set(feed.folder ?? '', (folders.get(feed.folder ?? '') ?? 0) + change)
      return { ...feed, unread: Math.max(0, feed.unread + change) }
    })
    if (this.standing)
      this.standing = {
        ...this.standing,
        unread: Math.max(0, this.standing.unread + sum),
        folders: this.standing.folders.map((one) => ({
          ...one,
          unread: Math.max(0, one.unread + (folders.get(one.folder ?? '') ?? 0)),
        })),
      }
    this.#reloadSoon()
  }

  #reloadSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.load().catch(() => {}) // while the server is unreachable; loaded again when it is back
    }, REST_MS)
  }
}

export const subscriptions = new Subscriptions()

const byTitle = (a: Subscription, b: Subscription): number => a.title.localeCompare(b.title)

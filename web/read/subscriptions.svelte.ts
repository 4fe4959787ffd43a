/** The feeds as the side shows them: by folder, as many as one can look over; the others are found by their name. */
import type { FeedShape } from '../../src/api/index.ts'
import { api } from '../shell/api.ts'
import { live } from '../shell/live.svelte.ts'

export interface Folder {
  name: string
  feeds: FeedShape[]
}

const MOST_SHOWN = 400
const REST_MS = 4000

class Subscriptions {
  feeds = $state.raw<FeedShape[]>([])
  hasMore = $state(false)
  isLoaded = $state(false)
  #byId = $derived(new Map(this.feeds.map((feed) => [feed.id, feed])))
  #timer: ReturnType<typeof setTimeout> | undefined

  folders = $derived.by((): Folder[] => {
    const folders = new Map<string, FeedShape[]>()
    for (const feed of this.feeds) {
      if (!feed.folder) continue
      const held = folders.get(feed.folder)
      if (held) held.push(feed)
      else folders.set(feed.folder, [feed])
    }
    return [...folders]
      .map(([name, feeds]) => ({ name, feeds: feeds.toSorted(byTitle) }))
      .sort((a, b) => a.name.localeCompare(b.name))
  })
  loose = $derived(this.feeds.filter(({ folder }) => !folder).toSorted(byTitle))

  constructor() {
    live.on('poll', ({ feedId }) => {
      if (!this.#byId.has(feedId)) this.#reloadSoon()
    })
    live.on('back', () => void this.load())
  }

  async load(): Promise<void> {
    const { feeds, next } = await api.listFeeds({ query: { limit: MOST_SHOWN } })
    this.feeds = feeds
    this.hasMore = next !== undefined
    this.isLoaded = true
  }

  feed(id: number): FeedShape | undefined {
    return this.#byId.get(id)
  }

  /** Somebody's feed was found: it is not known here yet. */
  #reloadSoon(): void {
    if (this.#timer !== undefined || this.hasMore) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.load().catch(() => {})
    }, REST_MS)
  }
}

export const subscriptions = new Subscriptions()

const byTitle = (a: FeedShape, b: FeedShape): number => (a.title || a.url).localeCompare(b.title || b.url)

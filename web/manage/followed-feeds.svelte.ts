/** All feeds that the user follows, with their rates, schedules and troubles, for the views that manage them. */
import { feedChanges } from '../reader/feed-changes.svelte.ts'
import { leavingFeeds } from '../reader/leaving-feeds.svelte.ts'
import { api, errorMessage } from '../shell/api.ts'
import type { FeedRow } from './feed-rows.ts'

const PAGE_SIZE = 1000
const MAX_PAGES = 20

class FollowedFeeds {
  #all = $state.raw<FeedRow[]>([])
  isLoaded = $state(false)
  /** There are more than are loaded. */
  isCut = $state(false)
  problem = $state('')
  rows = $derived(this.#all.filter(({ id }) => !leavingFeeds.has(id)))
  #loading: Promise<void> | undefined
  #loadedVersion = -1

  /** Loads again after each change that the user makes. Call it in an effect. */
  keepLoaded(): void {
    const { version } = feedChanges
    if (this.#loadedVersion === version && this.isLoaded) return
    this.#loadedVersion = version
    void this.load()
  }

  /** One load at a time: a second call waits for the first, whose result may be older than its reason. */
  async load(): Promise<void> {
    await this.#loading
    this.#loading = this.#load().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async #load(): Promise<void> {
    try {
      const rows: FeedRow[] = []
      let cursor: string | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { details: true, limit: PAGE_SIZE, ...(cursor && { cursor }) }
        const { subscriptions, next } = await api.listSubscriptions({ query })
        for (const one of subscriptions) if (one.details) rows.push({ ...one, id: one.feedId, details: one.details })
        cursor = next
        if (cursor === undefined) break
      }
      this.#all = rows
      this.isCut = cursor !== undefined
      this.isLoaded = true
      this.problem = ''
    } catch (error) {
      this.problem = errorMessage(error)
    }
  }
}

export const followedFeeds = new FollowedFeeds()

/**
 * Feeds that the user unfollows. Unfollowing deletes their read state, so it is only sent when the time to undo it is over, or when the page
 * is left. Until then the feeds are hidden.
 */
import { SvelteSet } from 'svelte/reactivity'
import { api, errorMessage, lastingApi } from '../shell/api.ts'
import { NOTICE_MS, notices } from '../shell/notices.svelte.ts'
import { words } from '../words.ts'

/** The server accepts so many at once. */
const MOST_SENT = 500

class LeavingFeeds {
  #ids = new SvelteSet<number>()
  #waiting = new Set<() => Promise<void>>()

  constructor() {
    addEventListener('pagehide', () => {
      for (const send of this.#waiting) void send()
    })
  }

  has(id: number): boolean {
    return this.#ids.has(id)
  }

  /** `onSettled` is called when the feeds are unfollowed, or when that has failed. */
  unfollow(feeds: readonly { id: number; title: string }[], onSettled: () => void): void {
    const ids = feeds.map(({ id }) => id)
    if (ids.length === 0) return
    for (const id of ids) this.#ids.add(id)
    const settle = () => {
      clearTimeout(timer)
      this.#waiting.delete(sendOnLeaving)
    }
    const show = () => {
      for (const id of ids) this.#ids.delete(id)
    }
    const send = async () => {
      settle()
      try {
        for (let i = 0; i < ids.length; i += MOST_SENT)
          await api.removeSubscriptions({ body: { feeds: ids.slice(i, i + MOST_SENT) } })
        setTimeout(show, NOTICE_MS) // lists are loaded again by then; a feed that is followed again later is shown
      } catch (error) {
        show()
        notices.show(errorMessage(error), { kind: 'error' })
      }
      onSettled()
    }
    const sendOnLeaving = async () => {
      settle()
      for (let i = 0; i < ids.length; i += MOST_SENT)
        void lastingApi.removeSubscriptions({ body: { feeds: ids.slice(i, i + MOST_SENT) } }).catch(() => {})
    }
    const timer = setTimeout(() => void send(), NOTICE_MS)
    this.#waiting.add(sendOnLeaving)
    notices.show(words.manage.unfollowed({ count: feeds.length, title: feeds[0]?.title ?? '' }), {
      undo: () => {
        settle()
        show()
      },
    })
  }
}

export const leavingFeeds = new LeavingFeeds()

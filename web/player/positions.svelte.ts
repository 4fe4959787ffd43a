/**
 * Where the user stopped in recordings. Kept on the server, so that every device resumes there: saved while playing at most every ten
 * seconds, when it is paused, and when the page is hidden or closed. The most recent positions are loaded once, for lists.
 */
import { SvelteMap } from 'svelte/reactivity'
import type { PlaybackShape } from '../../src/api/index.ts'
import { createClient } from '../../src/client/index.ts'
import { api } from '../shell/api.ts'
import { live } from '../shell/live.svelte.ts'
import { session } from '../shell/session.svelte.ts'

const MOST_LOADED = 1000
const SAVE_EVERY_MS = 10_000
/** A recording that was only tried is not kept. */
const FIRST_SAVED_SECONDS = 5

/** Requests that the browser finishes even if the page is closed. */
const lasting = createClient({ url: location.origin, fetch: (url, init) => fetch(url, { ...init, keepalive: true }) })

class Positions {
  #byEntry = new SvelteMap<number, PlaybackShape>()
  #savedAt = 0
  #saved = ''

  constructor() {
    live.on('reconnected', () => void this.load())
  }

  async load(): Promise<void> {
    const { playback } = await api.listPlayback({ query: { limit: MOST_LOADED } }).catch(() => ({ playback: [] }))
    for (const one of playback) {
      const known = this.#byEntry.get(one.entryId)
      if (!known || known.updatedAt < one.updatedAt) this.#byEntry.set(one.entryId, one)
    }
  }

  of(entryId: number): PlaybackShape | undefined {
    return this.#byEntry.get(entryId)
  }

  /** Whether anything was started and not finished. */
  hasStarted = $derived([...this.#byEntry.values()].some(({ finished }) => !finished))

  /** Where to continue; a finished recording starts again. */
  resumeAt(entryId: number): number {
    const known = this.#byEntry.get(entryId)
    return known && !known.finished ? known.positionSeconds : 0
  }

  markPlayed(entryId: number, duration: number): void {
    this.#send(entryId, { positionSeconds: duration, durationSeconds: duration })
  }

  /** `isPaused`: saves at once. */
  save(entryId: number, position: number, duration: number | undefined, isPaused: boolean): void {
    if (!session.canWrite || position < FIRST_SAVED_SECONDS) return
    if (!isPaused && Date.now() - this.#savedAt < SAVE_EVERY_MS) return
    const body = {
      positionSeconds: Math.round(position * 10) / 10,
      ...(duration !== undefined && { durationSeconds: Math.round(duration * 10) / 10 }),
    }
    const written = `${entryId} ${body.positionSeconds}`
    if (written === this.#saved) return
    this.#saved = written
    this.#savedAt = Date.now()
    this.#send(entryId, body)
  }

  #send(entryId: number, body: { positionSeconds: number; durationSeconds?: number }): void {
    lasting.setPlayback({ params: { id: entryId }, body }).then(
      (saved) => this.#byEntry.set(entryId, saved),
      () => {
        this.#saved = '' // the next save tries again
      },
    )
  }
}

export const positions = new Positions()

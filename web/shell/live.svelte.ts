/**
 * Live events: one event stream for the whole page. The browser reconnects by itself and then receives the entries it missed. While
 * it cannot connect, the page says that the server is unreachable, and loaded entries stay readable.
 */
import type {
  ArticleEventShape,
  EntryShape,
  GroupEventShape,
  PollEventShape,
  TroubleEventShape,
} from '../../src/api/index.ts'
import { api, isUnreachable, statusOf } from './api.ts'
import { clock } from './clock.svelte.ts'

interface LiveEvents {
  entry: EntryShape
  /** The page of an entry was read, or has failed. */
  article: ArticleEventShape
  story: GroupEventShape
  poll: PollEventShape
  trouble: TroubleEventShape
  /** The stream works again after a failure, or after the tab was hidden. Events in between may be missing. */
  reconnected: undefined
}

type Listener<Name extends keyof LiveEvents> = (event: LiveEvents[Name]) => void

const CHECK_MS = 15_000
const CHECK_WHILE_UNREACHABLE_MS = 3000
const HIDDEN_MS = 30_000

class Live {
  isUnreachable = $state(false)
  /** The session has ended: the user has to log in again. */
  isLoginRequired = $state(false)
  #stream: EventSource | undefined
  #listeners: { [Name in keyof LiveEvents]: Set<Listener<Name>> } = {
    entry: new Set(),
    article: new Set(),
    story: new Set(),
    poll: new Set(),
    trouble: new Set(),
    reconnected: new Set(),
  }
  #timer: ReturnType<typeof setTimeout> | undefined
  #hidden: ReturnType<typeof setTimeout> | undefined
  #isPaused = false

  /** Returns a function that removes the listener. */
  on<Name extends keyof LiveEvents>(name: Name, listener: Listener<Name>): () => void {
    this.#listeners[name].add(listener)
    return () => this.#listeners[name].delete(listener)
  }

  start(): void {
    this.#open()
    this.#scheduleCheck()
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.#hidden)
      if (document.hidden) this.#hidden = setTimeout(() => this.#pause(), HIDDEN_MS)
      else void this.#resume()
    })
    addEventListener('online', () => void this.check())
    addEventListener('offline', () => this.#setUnreachable())
  }

  stop(): void {
    this.#stream?.close()
    this.#stream = undefined
    clearTimeout(this.#timer)
  }

  /** Checks whether the server responds, and syncs the clock. */
  async check(): Promise<void> {
    try {
      const { now } = await api.getStatus({}, AbortSignal.timeout(10_000))
      clock.sync(now)
      if (this.isUnreachable) {
        this.isUnreachable = false
        this.#emit('reconnected', undefined)
      }
      if (this.#stream?.readyState !== EventSource.OPEN && this.#stream?.readyState !== EventSource.CONNECTING)
        this.#open()
    } catch (error) {
      if (statusOf(error) === 401) this.isLoginRequired = true
      else if (isUnreachable(error)) this.#setUnreachable()
    }
    this.#scheduleCheck()
  }

  /** All tabs of a browser share six connections to a server, so a hidden tab closes its stream. */
  #pause(): void {
    this.#stream?.close()
    this.#stream = undefined
    clearTimeout(this.#timer)
    this.#isPaused = true
  }

  async #resume(): Promise<void> {
    const wasPaused = this.#isPaused
    this.#isPaused = false
    await this.check()
    if (wasPaused && !this.isUnreachable) this.#emit('reconnected', undefined)
  }

  #setUnreachable(): void {
    this.isUnreachable = true
    this.#scheduleCheck()
  }

  #scheduleCheck(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.check(), this.isUnreachable ? CHECK_WHILE_UNREACHABLE_MS : CHECK_MS)
  }

  #open(): void {
    this.#stream?.close()
    const stream = new EventSource('/api/v1/stream?kinds=entries,articles,stories,polls,trouble')
    this.#stream = stream
    for (const name of ['entry', 'article', 'story', 'poll', 'trouble'] as const)
      stream.addEventListener(name, (event) => this.#emit(name, JSON.parse((event as MessageEvent<string>).data)))
    stream.addEventListener('cut', () => this.#open())
    stream.addEventListener('error', () => void this.check())
  }

  #emit<Name extends keyof LiveEvents>(name: Name, event: LiveEvents[Name]): void {
    for (const listener of this.#listeners[name]) listener(event)
  }
}

export const live = new Live()

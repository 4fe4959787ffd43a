/**
 * What happens, as it happens: one stream for the whole page. The browser opens it again by itself, and entries that came
 * meanwhile are told then; while it cannot, the page says that the server is away, and what was loaded can still be read.
 */
import type { EntryShape, GroupEventShape, PollEventShape, TroubleEventShape } from '../../src/api/index.ts'
import { api, isUnreachable, statusOf } from './api.ts'
import { clock } from './clock.svelte.ts'

interface Told {
  entry: EntryShape
  story: GroupEventShape
  poll: PollEventShape
  trouble: TroubleEventShape
  /** It is back, after having been away or not looked at: what happened meanwhile was not told. */
  back: undefined
}

type Listener<Name extends keyof Told> = (told: Told[Name]) => void

const LOOK_MS = 15_000
const LOOK_WHILE_AWAY_MS = 3000
const HIDDEN_MS = 30_000

class Live {
  /** The server does not answer. */
  isUnreachable = $state(false)
  /** Somebody has to log in first. */
  isShut = $state(false)
  #stream: EventSource | undefined
  #listeners: { [Name in keyof Told]: Set<Listener<Name>> } = {
    entry: new Set(),
    story: new Set(),
    poll: new Set(),
    trouble: new Set(),
    back: new Set(),
  }
  #timer: ReturnType<typeof setTimeout> | undefined
  #hidden: ReturnType<typeof setTimeout> | undefined
  #isPaused = false

  /** Call what it answers with to hear no more. */
  on<Name extends keyof Told>(name: Name, listener: Listener<Name>): () => void {
    this.#listeners[name].add(listener)
    return () => this.#listeners[name].delete(listener)
  }

  start(): void {
    this.#open()
    this.#lookSoon()
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.#hidden)
      if (document.hidden) this.#hidden = setTimeout(() => this.#pause(), HIDDEN_MS)
      else void this.#wake()
    })
    addEventListener('online', () => void this.look())
    addEventListener('offline', () => this.#wentAway())
  }

  stop(): void {
    this.#stream?.close()
    this.#stream = undefined
    clearTimeout(this.#timer)
  }

  /** Asks whether the server is there, and what time it is. */
  async look(): Promise<void> {
    try {
      const { now } = await api.getStatus({}, AbortSignal.timeout(10_000))
      clock.tell(now)
      if (this.isUnreachable) {
        this.isUnreachable = false
        this.#tell('back', undefined)
      }
      if (this.#stream?.readyState !== EventSource.OPEN && this.#stream?.readyState !== EventSource.CONNECTING)
        this.#open()
    } catch (error) {
      if (statusOf(error) === 401) this.isShut = true
      else if (isUnreachable(error)) this.#wentAway()
    }
    this.#lookSoon()
  }

  /** A browser has six connections to a server, for all its tabs: who is not looked at gives his back. */
  #pause(): void {
    this.#stream?.close()
    this.#stream = undefined
    clearTimeout(this.#timer)
    this.#isPaused = true
  }

  async #wake(): Promise<void> {
    const wasPaused = this.#isPaused
    this.#isPaused = false
    await this.look()
    if (wasPaused && !this.isUnreachable) this.#tell('back', undefined)
  }

  #wentAway(): void {
    this.isUnreachable = true
    this.#lookSoon()
  }

  #lookSoon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.look(), this.isUnreachable ? LOOK_WHILE_AWAY_MS : LOOK_MS)
  }

  #open(): void {
    this.#stream?.close()
    const stream = new EventSource('/api/v1/stream?kinds=entries,stories,polls,trouble')
    this.#stream = stream
    for (const name of ['entry', 'story', 'poll', 'trouble'] as const)
      stream.addEventListener(name, (event) => this.#tell(name, JSON.parse((event as MessageEvent<string>).data)))
    stream.addEventListener('cut', () => this.#open())
    stream.addEventListener('error', () => void this.look())
  }

  #tell<Name extends keyof Told>(name: Name, told: Told[Name]): void {
    for (const listener of this.#listeners[name]) listener(told)
  }
}

export const live = new Live()

/**
 * Fetching the page of the opened entry: asked for by its user, or, if it waits in the queue anyway, because it was opened. The event stream
 * says when it was read or has failed; without the stream the page asks from time to time.
 */
import { api, errorMessage } from '../shell/api.ts'
import { live } from '../shell/live.svelte.ts'

const CHECK_MS = 5000
/** After that the user can ask again. */
const MAX_WAIT_MS = 120_000

export class ArticleRequest {
  /** pending: the page is being fetched, or waits for its host. */
  state = $state<'idle' | 'pending' | 'failed'>('idle')
  /** When it is fetched at the earliest, if not at once; and why. */
  dueAt = $state<string | undefined>()
  why = $state<string | undefined>()
  /** Why it failed. */
  problem = $state('')
  readonly #entryId: number
  readonly #onSettled: () => Promise<void> | void
  #timer: ReturnType<typeof setInterval> | undefined
  #unlisten: () => void

  constructor(entryId: number, onSettled: () => Promise<void> | void) {
    this.#entryId = entryId
    this.#onSettled = onSettled
    this.#unlisten = live.on('article', ({ entryId: id, words = '' }) => {
      if (id === this.#entryId) void this.#settle(words)
    })
  }

  /** `isQuiet`: nobody asked, so a refusal is not shown. */
  async send({ isQuiet = false } = {}): Promise<void> {
    if (this.state === 'pending') return
    this.state = 'pending'
    this.problem = ''
    try {
      const { state, dueAt, why } = await api.fetchArticle({ params: { id: this.#entryId } })
      if (state === 'read') return await this.#settle('')
      this.why = why
      this.dueAt = why ? dueAt : undefined
      this.#watch()
    } catch (error) {
      this.state = isQuiet ? 'idle' : 'failed'
      this.problem = isQuiet ? '' : errorMessage(error)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#unlisten()
  }

  #watch(): void {
    clearInterval(this.#timer)
    const until = Date.now() + MAX_WAIT_MS
    this.#timer = setInterval(() => void this.#check(Date.now() > until), CHECK_MS)
  }

  async #check(isLate: boolean): Promise<void> {
    const article = await api.getArticle({ params: { id: this.#entryId } }).catch(() => undefined)
    if (article?.state === 'failed' || article?.state === 'refused' || article?.state === 'read') await this.#settle('')
    else if (isLate) await this.#settle('')
  }

  async #settle(problem: string): Promise<void> {
    clearInterval(this.#timer)
    await this.#onSettled()
    this.problem = problem
    this.state = problem ? 'failed' : 'idle'
    this.why = undefined
    this.dueAt = undefined
  }
}

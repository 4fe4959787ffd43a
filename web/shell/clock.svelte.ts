/**
 * The clock of the crawl. In the demo it runs ahead of the browser's clock, and faster. So the page derives both the offset and the
 * rate from the times that the server reports.
 */
const TICK_MS = 5000

class Clock {
  now = $state(Date.now())
  #offsetMs = 0
  #rate = 1
  /** Local time of the last report. */
  #syncedAt = 0
  /** Server time of the last report. */
  #serverTime = 0

  constructor() {
    setInterval(() => this.#tick(), TICK_MS)
  }

  /** `date`: the server's time, from a response that has just arrived. */
  sync(date: string): void {
    const local = Date.now()
    const server = Date.parse(date)
    if (this.#syncedAt > 0 && local - this.#syncedAt > 2000) {
      const rate = (server - this.#serverTime) / (local - this.#syncedAt)
      this.#rate = rate > 1.5 ? rate : 1
    }
    this.#offsetMs = server - local
    this.#serverTime = server
    this.#syncedAt = local
    this.#tick()
  }

  #tick(): void {
    const local = Date.now()
    this.now = local + this.#offsetMs + (local - (this.#syncedAt || local)) * (this.#rate - 1)
  }
}

export const clock = new Clock()

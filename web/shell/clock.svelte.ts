/**
 * What time it is for the crawl. In a demonstration its clock runs ahead of the reader's, and faster; so both where it
 * stands and how fast it runs are learnt from what the server says.
 */
const TICK_MS = 5000

class Clock {
  now = $state(Date.now())
  #offsetMs = 0
  #rate = 1
  #toldAt = 0
  #told = 0

  constructor() {
    setInterval(() => this.#tick(), TICK_MS)
  }

  /** The server's date, as it came just now. */
  tell(date: string): void {
    const local = Date.now()
    const server = Date.parse(date)
    if (this.#toldAt > 0 && local - this.#toldAt > 2000) {
      const rate = (server - this.#told) / (local - this.#toldAt)
      this.#rate = rate > 1.5 ? rate : 1
    }
    this.#offsetMs = server - local
    this.#told = server
    this.#toldAt = local
    this.#tick()
  }

  #tick(): void {
    const local = Date.now()
    this.now = local + this.#offsetMs + (local - (this.#toldAt || local)) * (this.#rate - 1)
  }
}

export const clock = new Clock()

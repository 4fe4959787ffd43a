/**
 * Keys, as in the readers people know. Whoever is on the screen offers what can be done there; the last to offer a key has
 * it. Sequences begin with g. `?` lists all that is offered at the moment, so the list cannot be out of date.
 */
export interface Key {
  /** As it is typed: `j`, `Shift+A`, `g a`. */
  keys: string
  words: string
  group: string
  run(): void
}

const SEQUENCE_MS = 1200

class Keys {
  offered = $state.raw<readonly Key[]>([])
  isListShown = $state(false)
  /** The same, for who offers: an effect that offers keys does not depend on which there are. */
  #held: readonly Key[] = []
  #begun: { key: string; at: number } | undefined

  constructor() {
    addEventListener('keydown', (event) => this.#pressed(event))
  }

  /** Call what it answers with to take them back. */
  offer(keys: readonly Key[]): () => void {
    this.#held = [...this.#held, ...keys]
    this.offered = this.#held
    return () => {
      this.#held = this.#held.filter((key) => !keys.includes(key))
      this.offered = this.#held
    }
  }

  #pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const typed = event.shiftKey && /^[A-Z]$/.test(event.key) ? `Shift+${event.key}` : event.key
    const sequence =
      this.#begun && event.timeStamp - this.#begun.at < SEQUENCE_MS ? `${this.#begun.key} ${typed}` : undefined
    const found =
      (sequence && this.offered.findLast(({ keys }) => keys === sequence)) ||
      this.offered.findLast(({ keys }) => keys === typed)
    this.#begun = undefined
    if (found) {
      event.preventDefault()
      found.run()
    } else if (this.offered.some(({ keys }) => keys.startsWith(`${typed} `)))
      this.#begun = { key: typed, at: event.timeStamp }
  }
}

export const keys = new Keys()

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

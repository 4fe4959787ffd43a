/**
 * Keyboard shortcuts. Each visible component registers its own; the last one to register a key gets it. Sequences begin with g. `?`
 * lists the registered shortcuts, so the list is always up to date.
 */
export interface Shortcut {
  /** As typed: `j`, `Shift+A`, `g a`. */
  keys: string
  description: string
  group: string
  run(): void
}

const SEQUENCE_MS = 1200

class Shortcuts {
  active = $state.raw<readonly Shortcut[]>([])
  isListShown = $state(false)
  /** Same as `active`, but not reactive: an effect that registers shortcuts must not depend on the registered ones. */
  #registered: readonly Shortcut[] = []
  /** The first key of a sequence that is being typed. */
  #prefix: { key: string; at: number } | undefined

  constructor() {
    addEventListener('keydown', (event) => this.#pressed(event))
  }

  /** Returns a function that unregisters them. */
  register(shortcuts: readonly Shortcut[]): () => void {
    this.#registered = [...this.#registered, ...shortcuts]
    this.active = this.#registered
    return () => {
      this.#registered = this.#registered.filter((shortcut) => !shortcuts.includes(shortcut))
      this.active = this.#registered
    }
  }

  #pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const typed = event.shiftKey && /^[A-Z]$/.test(event.key) ? `Shift+${event.key}` : event.key
    const sequence =
      this.#prefix && event.timeStamp - this.#prefix.at < SEQUENCE_MS ? `${this.#prefix.key} ${typed}` : undefined
    const found =
      (sequence && this.active.findLast(({ keys }) => keys === sequence)) ||
      this.active.findLast(({ keys }) => keys === typed)
    this.#prefix = undefined
    if (found) {
      event.preventDefault()
      found.run()
    } else if (this.active.some(({ keys }) => keys.startsWith(`${typed} `)))
      this.#prefix = { key: typed, at: event.timeStamp }
  }
}

export const shortcuts = new Shortcuts()

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

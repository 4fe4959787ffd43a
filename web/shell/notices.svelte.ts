/** A word at the lower edge: what was done, and a way to undo it. One at a time; it goes by itself. */
export interface Notice {
  id: number
  words: string
  kind: 'done' | 'trouble'
  undo?: (() => void) | undefined
}

const STAYS_MS = 8000

class Notices {
  shown = $state<Notice | undefined>()
  #next = 1
  #timer: ReturnType<typeof setTimeout> | undefined

  say(words: string, { undo, kind = 'done' }: { undo?: () => void; kind?: Notice['kind'] } = {}): void {
    this.shown = { id: this.#next++, words, kind, undo }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.dismiss(), STAYS_MS)
  }

  undo(): void {
    const { shown } = this
    this.dismiss()
    shown?.undo?.()
  }

  dismiss(): void {
    this.shown = undefined
  }
}

export const notices = new Notices()

/** Notices at the bottom of the page: the result of an action, and a way to undo it. One at a time; each disappears by itself. */
export interface Notice {
  id: number
  text: string
  kind: 'done' | 'error'
  undo?: (() => void) | undefined
}

export const NOTICE_MS = 8000

class Notices {
  shown = $state<Notice | undefined>()
  #next = 1
  #timer: ReturnType<typeof setTimeout> | undefined

  show(text: string, { undo, kind = 'done' }: { undo?: () => void; kind?: Notice['kind'] } = {}): void {
    this.shown = { id: this.#next++, text, kind, undo }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.dismiss(), NOTICE_MS)
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

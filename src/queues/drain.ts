/** Waiting until the work in progress is done, for queues that close. */
export interface Drain {
  /** To be called whenever work has ended. */
  check(): void
  /** Resolves when `isIdle`. When the signal aborts, `abandon` drops what is left. */
  wait(signal: AbortSignal | undefined, abandon: () => void): Promise<void>
}

export function createDrain(isIdle: () => boolean): Drain {
  let waiting: (() => void)[] = []

  function check(): void {
    if (!isIdle()) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    check,
    async wait(signal, abandon) {
      const abandonAll = () => {
        abandon()
        check()
      }
      if (signal?.aborted) abandonAll()
      signal?.addEventListener('abort', abandonAll, { once: true })
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        check()
      })
      signal?.removeEventListener('abort', abandonAll)
    },
  }
}

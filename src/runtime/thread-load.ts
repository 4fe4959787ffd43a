/** Load of a thread in the current and the previous minute. */
import { MINUTE, type Millis } from '../model/index.ts'

interface Period {
  startedAt: Millis
  busyMs: Millis
  longestCallMs: Millis
}

export interface ThreadLoad {
  count(callMs: Millis): void
  read(): { busyShare: number; longestCallMs: Millis }
}

export function createThreadLoad(now: () => Millis = () => performance.now()): ThreadLoad {
  const newPeriod = (): Period => ({ startedAt: now(), busyMs: 0, longestCallMs: 0 })
  let previous: Period | undefined
  let current = newPeriod()

  function rotate(): void {
    const age = now() - current.startedAt
    if (age < MINUTE) return
    previous = age < 2 * MINUTE ? current : undefined
    current = newPeriod()
  }

  return {
    count(callMs) {
      rotate()
      current.busyMs += callMs
      current.longestCallMs = Math.max(current.longestCallMs, callMs)
    },
    read() {
      rotate()
      const { startedAt, busyMs, longestCallMs } = previous ?? current
      const busy = previous ? busyMs + current.busyMs : busyMs
      return {
        busyShare: Math.min(1, busy / Math.max(1, now() - startedAt)),
        longestCallMs: Math.max(longestCallMs, current.longestCallMs),
      }
    },
  }
}

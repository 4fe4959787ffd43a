/**
 * Limits the number of large bodies read at once. A body that turns out to be large waits for a slot, and so does its
 * server. Otherwise thirty feeds of 10 MB arriving together, each within its limits, would take more than a gigabyte
 * until they are parsed. Time limits keep running, so no body can block the others.
 *
 * A released slot stays unused for a moment: large bodies should not arrive faster than they can be parsed.
 */
export interface LargeBodySlots {
  /** Calls `go` when there is a slot, possibly at once. Returns a function that releases the slot, or leaves the queue. */
  acquire(go: () => void): () => void
}

export const LARGE_BODY_BYTES = 1_000_000
const PLACES = 3
const REST_MS = 500

export function createLargeBodySlots(slotCount = PLACES, restMs = REST_MS): LargeBodySlots {
  let free = slotCount
  const waiting = new Set<() => void>() // first come, first served

  function admitWaiting(): void {
    for (const go of waiting) {
      if (free === 0) return
      waiting.delete(go)
      free--
      go()
    }
  }

  function releaseSlot(): void {
    free++
    admitWaiting()
  }

  return {
    acquire(go) {
      let hasSlot = false
      const enter = () => {
        hasSlot = true
        go()
      }
      waiting.add(enter)
      admitWaiting()
      return () => {
        if (!waiting.delete(enter) && hasSlot) setTimeout(releaseSlot, restMs).unref()
        hasSlot = false
      }
    },
  }
}

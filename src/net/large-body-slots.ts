/**
 * Limits the number of large bodies read at once. A body that turns out to be large waits for one of a few slots, and so does its server.
 * Otherwise thirty feeds of 10 MB arriving together, each within its limits, would take more than a gigabyte until they are parsed. Time
 * limits keep running, so nobody can block the others.
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

export function createLargeBodySlots(places = PLACES, restMs = REST_MS): LargeBodySlots {
  let free = places
  const waiting = new Set<() => void>() // first come, first served

  function letIn(): void {
    for (const go of waiting) {
      if (free === 0) return
      waiting.delete(go)
      free--
      go()
    }
  }

  function giveBack(): void {
    free++
    letIn()
  }

  return {
    acquire(go) {
      let isIn = false
      const enterNow = () => {
        isIn = true
        go()
      }
      waiting.add(enterNow)
      letIn()
      return () => {
        if (!waiting.delete(enterNow) && isIn) setTimeout(giveBack, restMs).unref()
        isIn = false
      }
    },
  }
}

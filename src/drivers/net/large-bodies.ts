/**
 * Large bodies take turns. A body may be small for as long as it likes; one that turns out to be large waits for one of a few
 * places before it is read on, and its server with it. Else thirty feeds of 10 MB that come together, each of them allowed,
 * would take more than a gigabyte until they are read. The limits of time go on meanwhile, so nobody can keep others waiting.
 *
 * A place that was given back rests for a while: large bodies shall come no faster than they can be read as documents.
 */
export interface LargeBodies {
  /** Calls `go` when there is a place, perhaps at once. Returns how to give the place back, or to wait no longer. */
  enter(go: () => void): () => void
}

export const LARGE_BYTES = 1_000_000
const PLACES = 3
const REST_MS = 500

export function createLargeBodies(places = PLACES, restMs = REST_MS): LargeBodies {
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
    enter(go) {
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

/**
 * Large bodies take turns. A body may be small for as long as it likes; one that turns out to be large waits for one of a few
 * places before it is read on, and its server with it. Else thirty feeds of 10 MB that come together, each of them allowed,
 * would take more than a gigabyte until they are read. The limits of time go on meanwhile, so nobody can keep others waiting.
 */
export interface LargeBodies {
  /** Calls `go` when there is a place, perhaps at once. Returns how to give the place back, or to wait no longer. */
  enter(go: () => void): () => void
}

export const LARGE_BYTES = 1_000_000
const PLACES = 3

export function createLargeBodies(places = PLACES): LargeBodies {
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
        if (!waiting.delete(enterNow) && isIn) free++
        isIn = false
        letIn()
      }
    },
  }
}

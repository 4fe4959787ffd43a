/**
 * For the few places where the main thread itself loops over many items, such as the entries of a large document: it yields to the event
 * loop every few milliseconds, so that polls and requests go on. Whatever takes longer belongs into a thread.
 *
 * Several such loops may be under way. Not each of them gets a slice in one and the same turn of the event loop, but as many as fit into
 * it, in the order in which they came.
 */
import type { Millis, Steps } from '../model/index.ts'

/** Two of them, and what comes from sockets meanwhile, are still a short turn. */
const SLICE_MS: Millis = 5
/** Whatever they take, so that it can be counted. */
const MOST_STEPS = 500

const waiting: (() => void)[] = []
let turn = -1
let turnBeganAt: Millis = 0

/** Promises that are settled when they are handed out yield to nobody. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    setImmediate(nextOne)
  })
}

/** Whether somebody has yielded and is to go on: then the program is not at rest, however many turns pass. */
export function hasYielded(): boolean {
  return waiting.length > 0
}

/** Called once for each who waits, so that all that the one before did with its slice is over. */
function nextOne(): void {
  const now = performance.now()
  const { loopCount } = performance.nodeTiming.uvMetricsInfo
  if (loopCount !== turn) {
    turn = loopCount
    turnBeganAt = now
  } else if (now - turnBeganAt > SLICE_MS) return void setImmediate(nextOne)
  waiting.shift()?.()
}

/** What the steps lead to. A few are taken at once. */
export async function inSlices<Made>(steps: Steps<Made>): Promise<Made> {
  let beganAt = performance.now()
  let taken = 0
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (++taken < MOST_STEPS && performance.now() - beganAt <= SLICE_MS) continue
    await yieldToEventLoop()
    beganAt = performance.now()
    taken = 0
  }
}

/** What `work` makes of each, in their order. */
export function mapInSlices<One, Made>(all: readonly One[], work: (one: One) => Made): Promise<Made[]> {
  return inSlices(mapped(all, work))
}

function* mapped<One, Made>(all: readonly One[], work: (one: One) => Made): Steps<Made[]> {
  const made: Made[] = []
  for (const one of all) {
    made.push(work(one))
    yield
  }
  return made
}

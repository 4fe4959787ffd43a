/**
 * Lets the main thread process many items, such as the entries of a large document, without blocking: it yields to the
 * event loop every few milliseconds so that polls and requests continue. Work that takes longer belongs in a thread.
 *
 * Several such loops may run at once. Each turn of the event loop runs as many of them as fit into a slice, first
 * come, first served.
 */
import type { Millis, Steps } from '../model/index.ts'

/** Two slices plus pending socket events still make a short turn. */
const SLICE_MS: Millis = 5
/** Maximum per slice, however fast they are, so that tests can count turns. */
const MAX_STEPS_PER_SLICE = 500

const waiting: (() => void)[] = []
let turn = -1
let turnBeganAt: Millis = 0

/** Uses a macrotask: awaiting a settled promise does not yield. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    setImmediate(resumeNext)
  })
}

/** Whether a loop has yielded and will continue: the program is not idle then, however many turns pass. */
export function hasYielded(): boolean {
  return waiting.length > 0
}

/** Called once per waiting loop, after the previous one has used its slice. */
function resumeNext(): void {
  const now = performance.now()
  const { loopCount } = performance.nodeTiming.uvMetricsInfo
  if (loopCount !== turn) {
    turn = loopCount
    turnBeganAt = now
  } else if (now - turnBeganAt > SLICE_MS) return void setImmediate(resumeNext)
  waiting.shift()?.()
}

/** Runs the steps and returns their result. A few steps run without yielding. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let beganAt = performance.now()
  let stepCount = 0
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (++stepCount < MAX_STEPS_PER_SLICE && performance.now() - beganAt <= SLICE_MS) continue
    await yieldToEventLoop()
    beganAt = performance.now()
    stepCount = 0
  }
}

/** Maps items in order, in slices. */
export function mapInSlices<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  return inSlices(mapSteps(items, work))
}

function* mapSteps<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Steps<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    yield
  }
  return results
}

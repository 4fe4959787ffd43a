/**
 * Turns of the event loop. One thread decides everything in a process, so work that grows with what others send, or with what is kept,
 * goes in stretches of some milliseconds, between which everybody else gets a turn: a poll, a page, a signal. Several such
 * works may be under way; then not each of them has its stretch in one and the same turn, but as many as fit into it, in the order in which they came.
 */
import type { Millis, Steps } from '../model/index.ts'

/** Two of them, and what comes from sockets meanwhile, are still a short turn. */
const STRETCH_MS: Millis = 5
/** Whatever they take, so that it can be counted. */
const MOST_STEPS = 500

const waiting: (() => void)[] = []
let turn = -1
let turnBeganAt: Millis = 0

/** Everybody else's turn. Promises that are settled when they are handed out give none. */
export function letOthers(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    setImmediate(nextOne)
  })
}

/** Whether somebody waits for his turn: then the program is not at rest, however many turns pass. */
export function someoneWaits(): boolean {
  return waiting.length > 0
}

/** Called once for each who waits, so that all that the one before did with its turn is over. */
function nextOne(): void {
  const now = performance.now()
  const { loopCount } = performance.nodeTiming.uvMetricsInfo
  if (loopCount !== turn) {
    turn = loopCount
    turnBeganAt = now
  } else if (now - turnBeganAt > STRETCH_MS) return void setImmediate(nextOne)
  waiting.shift()?.()
}

export interface Stretch {
  /** Another step is done. Whether it was the last that fits. */
  isOver(): boolean
  /** Everybody else's turn; then another stretch begins. */
  pause(): Promise<void>
}

export function createStretch(): Stretch {
  let beganAt = performance.now()
  let steps = 0
  return {
    isOver: () => ++steps >= MOST_STEPS || performance.now() - beganAt > STRETCH_MS,
    async pause() {
      await letOthers()
      beganAt = performance.now()
      steps = 0
    },
  }
}

/** What the steps lead to, with turns for others in between. */
export async function inTurns<Made>(steps: Steps<Made>): Promise<Made> {
  const stretch = createStretch()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (stretch.isOver()) await stretch.pause()
  }
}

/**
 * Work that grows with what others send is done in pieces, between which everybody else gets a turn of the event loop: a
 * document may have ten thousand entries, and none of them may keep a poll waiting. What is small is done at once.
 */
import type { Steps } from '../model/index.ts'
import { inTurns, letOthers } from '../ports/index.ts'

/** A turn for the others, between two steps of the same work, if it is for so many that each step takes its time. */
export async function letOthersIf(isMuch: boolean): Promise<void> {
  if (isMuch) await letOthers()
}

/** So many steps are what little takes; more, where it touches what is large. */
const FEW_STEPS = 100

/** With turns for the others wherever the steps take long; what seems to be little, and has many steps, has turns after the first of them. */
export function inTurnsIf<Made>(isMuch: boolean, steps: Steps<Made>): Promise<Made> | Made {
  for (let taken = 0; !isMuch && taken < FEW_STEPS; taken++) {
    const { done, value } = steps.next()
    if (done) return value
  }
  return inTurns(steps)
}

/** What `work` makes of all, in their order. There is a turn before each piece but the first. */
export async function inPieces<One, Made>(
  all: readonly One[],
  size: number,
  work: (piece: One[]) => Made[] | Promise<Made[]>,
): Promise<Made[]> {
  const made: Made[] = []
  for (let from = 0; from < all.length; from += size) {
    if (from > 0) await letOthers()
    for (const one of await work(all.slice(from, from + size))) made.push(one)
  }
  return made
}

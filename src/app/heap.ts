/**
 * Has V8 collect garbage rather than take more memory. A crawler makes much garbage and keeps little, but a heap that grows as
 * V8 likes is for programs that keep most of what they make: loading ours alone leaves a young generation of 34 MB, which
 * then stays, and may become 64. So it is grown to 16 MB before anything else is loaded, and held there; and the old generation
 * is collected when it has grown by a quarter, not when it has quadrupled. With 8 MB an unchanged poll takes some more CPU
 * (`node bench/poll.ts`).
 *
 * V8 reads both flags while it runs, so nobody has to start node with any. Only the program does this: who uses Freshet as a
 * library has a heap of their own to care for.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const YOUNG_BYTES = 16 * 2 ** 20
/** Far more than it takes; should V8 ever grow by other rules, we begin with less. */
const MOST_TRIES = 200
const SURVIVORS = 20_000

/** To be called before the program is loaded: what has grown does not shrink again. */
export function keepHeapSmall(): void {
  for (let i = 0; i < MOST_TRIES && youngBytes() < YOUNG_BYTES; i++) surviving()
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=25')
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? YOUNG_BYTES
}

/** The young generation grows when much of it outlives a collection. */
function surviving(): object[] {
  return Array.from({ length: SURVIVORS }, (_, number) => ({ number }))
}

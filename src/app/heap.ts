/**
 * Makes V8 collect garbage instead of growing the heap. A crawler creates much garbage and keeps little, while V8's defaults suit
 * programs that keep most of their objects: loading our code alone leaves a young generation of 34 MB, which stays and may become 64.
 * So the young generation is grown to 16 MB before anything else loads, and kept at that size; and the old generation is collected when it
 * has grown by a quarter, not when it has quadrupled. With 8 MB an unchanged poll takes slightly more CPU (`node bench/poll.ts`).
 *
 * V8 reads both flags at run time, so Node needs no command-line flags. Only the program does this, not the library: programs that import
 * Freshet manage their own heap.
 *
 * Long-running commands have a smaller young generation, because bin/freshet.js starts them with `--optimize-for-size`, which limits it to
 * 2 MB: it cannot be grown, and trying takes a quarter of a second.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const YOUNG_BYTES = 16 * 2 ** 20
/** Far more than needed. If V8 changes how it grows the heap, we start with a smaller young generation. */
const MAX_TRIES = 200
const SURVIVOR_COUNT = 20_000

/** Must be called before the program loads, because the young generation never shrinks. */
export function keepHeapSmall(): void {
  const isLimited = process.execArgv.includes('--optimize-for-size')
  for (let i = 0; !isLimited && i < MAX_TRIES && youngGenerationBytes() < YOUNG_BYTES; i++) allocateSurvivors()
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=25')
}

function youngGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? YOUNG_BYTES
}

/** The young generation grows when many objects survive a collection. */
function allocateSurvivors(): object[] {
  return Array.from({ length: SURVIVOR_COUNT }, (_, number) => ({ number }))
}

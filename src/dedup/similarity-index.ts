/** Creates an index for one of three kinds of grouping: copies verified word by word, copies by plain SimHash, stories. */
import { createCopyGrouping } from './copies/copies.ts'
import { LARGEST_CAPACITY } from './copies/copy-ring.ts'
import { COPY_THRESHOLD } from './copies/verify-copy.ts'
import type { CopyIndex, CopyIndexOptions } from './item.ts'
import { createStoryGrouping, STORY_THRESHOLD } from './stories/stories.ts'

const SIMHASH_THRESHOLD = 12 // Yu, Cheng and Hristidis found 8 to 12 best, and 14 too many

/** An empty index. Copies and stories need one index each: their groups are independent. */
export function createCopyIndex(options: CopyIndexOptions = {}): CopyIndex {
  const { level = 'copy', mode = 'verified', windowDays = 7, capacity = 2 ** 20 } = options
  if (!(windowDays > 0)) throw new Error(`windowDays must be above 0, or Infinity for no window; it is ${windowDays}`)
  if (!Number.isInteger(capacity) || capacity < 1 || capacity > LARGEST_CAPACITY) {
    throw new Error(`capacity must be a whole number from 1 to ${LARGEST_CAPACITY}; it is ${capacity}`)
  }
  const settled = { level, mode, windowDays, capacity }
  if (level === 'story') return createStoryGrouping({ ...settled, threshold: options.threshold ?? STORY_THRESHOLD })
  return createCopyGrouping({
    ...settled,
    threshold: options.threshold ?? (mode === 'simhash' ? SIMHASH_THRESHOLD : COPY_THRESHOLD),
  })
}

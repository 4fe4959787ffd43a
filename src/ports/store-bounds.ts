/** How much a store keeps of one thing, the same in every store: what is older than these goes. */

/** Of one host, likely places that had no feed are told; a look for a feed takes fifteen requests. */
export const MOST_MISSES = 200
/** What one entry said before; some feeds change a title back and forth at every poll. */
export const KEPT_VERSIONS = 20
/** Moves of one entry from group to group. */
export const KEPT_MOVES = 20

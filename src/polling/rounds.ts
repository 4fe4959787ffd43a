/**
 * How advaRSS adapts to a feed, in rounds of some minutes (Adam et al. 2009 and 2010, eqs 1-4). M is how many rounds lie between two
 * polls, T how many have passed since the feed last changed. A poll that finds nothing:
 *
 *   Temp = T + M,  M = M + 0.3 T,  T = Temp     (2)
 *
 * and one that finds something:
 *
 *   T = 1,  M = 0.2 M + 0.8 T                   (3)
 *
 * then ToE = ceil(M) rounds pass (4). The pseudo-code of the second paper has M in the place of T in both lines, which
 * would let M grow by 30 % and never fall; its text and the first paper have T, and `step: 'median'` is there to compare.
 */

export interface RoundTimer {
  median: number
  timer: number
  /** What M may grow to at the moment. */
  most: number
}

export interface RoundsOptions {
  step: 'timer' | 'median'
  /** M never exceeds `most`; it may double whenever M has reached it, up to `limit` (2009: from 25 to 640; 2010: 80). */
  limit: number
}

export function roundsAfter(
  { median, timer, most }: RoundTimer,
  found: boolean,
  { step, limit }: RoundsOptions,
): RoundTimer {
  if (found) return { median: Math.max(1, 0.2 * median + 0.8 * (step === 'timer' ? 1 : median)), timer: 1, most }
  const grown = median + 0.3 * (step === 'timer' ? timer : median)
  return { median: Math.min(most, grown), timer: timer + median, most: grown > most ? Math.min(limit, 2 * most) : most }
}

/** ToE: the rounds until the next poll. */
export function roundsToWait({ median }: RoundTimer): number {
  return Math.ceil(median)
}

/**
 * How much is done at once, where nobody knows beforehand what it takes: by what the last time took. Grows while that was
 * quick, and is halved when it was not.
 */
import type { Millis } from './time.ts'

export interface SizeLimits {
  least: number
  most: number
  /** What is done at once takes no longer, as far as can be told beforehand, and not much less than half of it. */
  longestMs: Millis
}

export function fittingSize(size: number, tookMs: Millis, { least, most, longestMs }: SizeLimits): number {
  if (tookMs > longestMs) return Math.max(least, Math.floor(size / 2))
  return tookMs < longestMs / 2 ? Math.min(most, Math.ceil(size * 1.5)) : size
}

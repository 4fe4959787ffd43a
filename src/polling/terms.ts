/** On what terms a feed is polled: a feed's own word goes before its folder's, that before everybody's. */
import type { Feed, Millis, Wants } from '../model/index.ts'
import type { Limits } from './due.ts'
import type { Terms } from './strategy.ts'

export function termsOf(
  { subscribers, wants }: Pick<Feed, 'subscribers' | 'wants'>,
  folder: Wants | undefined,
  limits: Limits,
  price: Millis,
): Terms {
  const { minMs = limits.minMs, maxMs = limits.maxMs, goalMs } = { ...folder, ...wants }
  return {
    price,
    limits: { minMs, maxMs: Math.max(minMs, maxMs) },
    subscribers,
    ...(goalMs !== undefined && { goalMs }),
  }
}

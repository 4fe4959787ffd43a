/**
 * The terms on which a feed is polled. A feed's own preferences override its folder's, which override the defaults. Of
 * nested folders (`News / World`) the nearest with preferences counts.
 */
import type { Feed, Millis, Wants } from '../model/index.ts'
import type { Limits } from './due-date.ts'
import { pollCost } from './poll-bytes.ts'
import type { Terms } from './strategy.ts'

export function termsOf(
  { subscribers, wants, quirks }: Pick<Feed, 'subscribers' | 'wants' | 'quirks'>,
  folder: Wants | undefined,
  limits: Limits,
  price: Millis,
  activity?: number,
): Terms {
  const { minMs = limits.minMs, maxMs = limits.maxMs, goalMs } = { ...folder, ...wants }
  return {
    price,
    limits: { minMs, maxMs: Math.max(minMs, maxMs) },
    subscribers,
    ...(activity !== undefined && { activity }),
    ...(goalMs !== undefined && { goalMs }),
    ...(quirks?.pollBytes !== undefined && { cost: pollCost(quirks.pollBytes) }),
  }
}

const SEPARATOR = ' / '

/** The value of the folder, or of the nearest enclosing folder that has one. */
export function ofNearestFolder<T>(values: ReadonlyMap<string, T>, folder: string | undefined): T | undefined {
  const nearest =
    folder === undefined || values.size === 0 ? undefined : foldersRound(folder).find((one) => values.has(one))
  return nearest === undefined ? undefined : values.get(nearest)
}

/** A folder and those that enclose it, innermost first: `News / World`, `News`. */
export function foldersRound(folder: string): string[] {
  const round = [folder]
  for (
    let end = folder.lastIndexOf(SEPARATOR);
    end > 0 && round.length < MAX_DEPTH;
    end = folder.lastIndexOf(SEPARATOR, end - 1)
  )
    round.push(folder.slice(0, end))
  return round
}

const MAX_DEPTH = 32

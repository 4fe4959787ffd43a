/**
 * The terms on which a feed is polled. A feed's own preferences override its folder's, which override the defaults. Of
 * nested folders (`News / World`) the nearest with preferences counts.
 */
import type { Feed, Millis, PollingGoals } from '../model/index.ts'
import type { Limits } from './due-date.ts'
import { pollCost } from './poll-bytes.ts'
import type { Terms } from './strategy.ts'

export function termsOf(
  { subscribers, wants, quirks }: Pick<Feed, 'subscribers' | 'wants' | 'quirks'>,
  folder: PollingGoals | undefined,
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
export function valueOfNearestFolder<T>(values: ReadonlyMap<string, T>, folder: string | undefined): T | undefined {
  const nearestFolder =
    folder === undefined || values.size === 0
      ? undefined
      : enclosingFolders(folder).find((enclosing) => values.has(enclosing))
  return nearestFolder === undefined ? undefined : values.get(nearestFolder)
}

/** A folder and those that enclose it, innermost first: `News / World`, `News`. */
export function enclosingFolders(folder: string): string[] {
  const folders = [folder]
  for (
    let end = folder.lastIndexOf(SEPARATOR);
    end > 0 && folders.length < MAX_DEPTH;
    end = folder.lastIndexOf(SEPARATOR, end - 1)
  )
    folders.push(folder.slice(0, end))
  return folders
}

const MAX_DEPTH = 32

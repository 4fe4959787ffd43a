/**
 * The gap that a root's robots.txt asks for. A root may have many hosts with a robots.txt each: the longest of them counts,
 * until it is a week old (feeds that a person asked for never have us look again), or its own host says otherwise.
 */
import { DAY, type Host, type Millis, type SiteRobots } from '../model/index.ts'

const HEEDED_MS: Millis = 7 * DAY // ours

export function crawlDelayAfter(before: Host['crawlDelay'], { origin, record }: SiteRobots): Host['crawlDelay'] {
  const ms = record.robots.crawlDelayMs ?? 0
  const isOthers = before && before.origin !== origin && record.fetchedAt < before.until
  if (isOthers && before.ms >= ms) return before
  if (record.found === 'unreachable') return before
  return ms > 0 ? { ms, origin, until: record.fetchedAt + HEEDED_MS } : undefined
}

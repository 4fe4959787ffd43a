/**
 * The Crawl-delay of a root. A root may have many hosts, each with its own robots.txt: the longest delay applies until it is a week
 * old (robots.txt is not fetched for user-added feeds, so it may not be refreshed), or until its own host changes it.
 */
import { DAY, type Host, type Millis, type SiteRobots } from '../model/index.ts'

const VALID_MS: Millis = 7 * DAY // ours

export function crawlDelayAfter(before: Host['crawlDelay'], { origin, record }: SiteRobots): Host['crawlDelay'] {
  const ms = record.robots.crawlDelayMs ?? 0
  const isOtherHosts = before && before.origin !== origin && record.fetchedAt < before.until
  if (isOtherHosts && before.ms >= ms) return before
  if (record.found === 'unreachable') return before
  return ms > 0 ? { ms, origin, until: record.fetchedAt + VALID_MS } : undefined
}

/**
 * Fetcher status, as a controller sees it: which fetchers are there, how many slots they have, and how well they work. Fetchers pull their
 * tasks, so a controller only decides how many tasks may be in flight and which fetchers to quarantine: those that return unreadable
 * results, or whose network is down while others work. A quarantined fetcher is told so, takes no tasks, and is tried again later.
 */
import { type Instant, MINUTE, type Millis, type Outcome } from '../../model/index.ts'
import { isNoResponse } from '../../politeness/index.ts'
import { type Clock, type Fleet, type FleetMember, quarantinedFetchers, type SeenMember } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

export interface FetcherStatusParts {
  fleet: Pick<Fleet, 'members'>
  clock: Pick<Clock, 'now'>
  /** The share of all buckets that this controller owns, in [0, 1]. */
  share: () => number
  emit: (event: CrawlEvent) => void
}

export interface FetcherStatus {
  /** How many tasks of this controller may be in flight. */
  slots(): number
  /** Notes that this fetcher returned something that is not an outcome. */
  noteUnreadable(name: string, what: string): void
  noteOutcomes(outcomes: Outcome[]): void
  /** Fetchers that must not get tasks. */
  quarantined(): NonNullable<FleetMember['quarantined']>
  /** Announces fetchers that joined or left. Called at each heartbeat. */
  update(): void
}

/** Slightly more tasks than slots, so that fetchers need not wait while tasks travel. */
const OVERCOMMIT = 1.25
const MAX_UNREADABLE = 5
const QUARANTINE_MS: Millis = 10 * MINUTE
/** A fetcher whose last 40 polls all got no response is quarantined, if less than half of the polls of other fetchers did. */
const RECENT_POLLS = 40

interface FetcherHistory {
  /** When unreadable results arrived. */
  unreadableAt: number[]
  /** For each recent poll, whether it got no response. */
  silences: boolean[]
}

export function createFetcherStatus({ fleet, clock, share, emit }: FetcherStatusParts): FetcherStatus {
  const histories = new Map<string, FetcherHistory>()
  const quarantines = new Map<string, { reason: string; until: Instant }>()
  let knownFetchers = new Set<string>()

  const fetchers = (): SeenMember[] => fleet.members().filter(({ role }) => role === 'fetcher')

  function historyOf(name: string): FetcherHistory {
    const history = histories.get(name) ?? { unreadableAt: [], silences: [] }
    histories.set(name, history)
    return history
  }

  function quarantine(name: string, reason: string): void {
    if (isQuarantined(name) || !mayQuarantine(name)) return
    quarantines.set(name, { reason, until: clock.now() + QUARANTINE_MS })
    histories.delete(name)
    emit({ kind: 'fetcher', at: clock.now(), name, what: 'quarantined', reason })
  }

  /** At most half of all fetchers may be quarantined, including by other controllers: if most seem broken, the cause is elsewhere. */
  function mayQuarantine(name: string): boolean {
    const names = fetchers().map((fetcher) => fetcher.name)
    const excluded = new Set(
      fleet.members().flatMap(({ quarantined = [] }) => quarantined.map((fetcher) => fetcher.name)),
    )
    for (const other of quarantines.keys()) excluded.add(other)
    excluded.add(name)
    return names.filter((other) => excluded.has(other)).length <= names.length / 2
  }

  function isQuarantined(name: string): boolean {
    const entry = quarantines.get(name)
    if (!entry) return false
    if (entry.until > clock.now()) return true
    quarantines.delete(name)
    emit({ kind: 'fetcher', at: clock.now(), name, what: 'trusted' })
    return false
  }

  function quarantined(): NonNullable<FleetMember['quarantined']> {
    return [...quarantines].flatMap(([name, entry]) => (isQuarantined(name) ? [{ name, ...entry }] : []))
  }

  function othersWork(name: string): boolean {
    let [silent, all] = [0, 0]
    for (const [other, { silences }] of histories) {
      if (other === name) continue
      all += silences.length
      silent += silences.filter(Boolean).length
    }
    return all >= RECENT_POLLS && silent < all / 2
  }

  return {
    slots() {
      const ownView = { role: 'controller', name: '', quarantined: quarantined() } as const
      const excluded = quarantinedFetchers([...fleet.members(), ownView])
      const all = fetchers().reduce((sum, { name, slots = 0 }) => sum + (excluded.has(name) ? 0 : slots), 0)
      return all === 0 ? 0 : Math.max(1, Math.floor(all * share() * OVERCOMMIT))
    },
    noteUnreadable(name, what) {
      const { unreadableAt } = historyOf(name)
      const now = clock.now()
      unreadableAt.push(now)
      while ((unreadableAt[0] ?? now) < now - QUARANTINE_MS) unreadableAt.shift()
      if (unreadableAt.length >= MAX_UNREADABLE) quarantine(name, `its results are unreadable (${what})`)
    },
    noteOutcomes(outcomes) {
      for (const { by, task, result } of outcomes) {
        if (by === undefined || task.kind !== 'poll' || result.kind === 'unsent') continue
        const { silences } = historyOf(by)
        silences.push(result.kind === 'failed' && isNoResponse(result.failure))
        if (silences.length > RECENT_POLLS) silences.shift()
        if (silences.length === RECENT_POLLS && silences.every(Boolean) && othersWork(by))
          quarantine(by, 'all its polls get no response while those of other fetchers do; check its network')
      }
    },
    quarantined,
    update() {
      const now = new Set(fetchers().map(({ name }) => name))
      for (const name of now)
        if (!knownFetchers.has(name)) emit({ kind: 'fetcher', at: clock.now(), name, what: 'joined' })
      for (const name of knownFetchers)
        if (!now.has(name)) emit({ kind: 'fetcher', at: clock.now(), name, what: 'left' })
      for (const name of knownFetchers) if (!now.has(name)) histories.delete(name)
      knownFetchers = now
    },
  }
}

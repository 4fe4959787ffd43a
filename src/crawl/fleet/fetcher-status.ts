/**
 * What a controller knows of the terminals: who is there, how many hands they have, how they fare. Work goes to whoever pulls it; so
 * all there is to decide is how much may be out at once, and who is not to be believed. A terminal that answers nonsense, or
 * whose network is dead while that of others is well, is set aside: it hears so, takes nothing, and is tried again later.
 */
import { type Instant, MINUTE, type Millis, type Outcome } from '../../model/index.ts'
import { isSilence } from '../../politeness/index.ts'
import { type Clock, type Fleet, type FleetMember, type SeenMember, terminalsAside } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

export interface CrewParts {
  fleet: Pick<Fleet, 'members'>
  clock: Pick<Clock, 'now'>
  /** Of all buckets, ours; in [0, 1]. */
  share: () => number
  emit: (event: CrawlEvent) => void
}

export interface Crew {
  /** How many of our tasks may be out. */
  hands(): number
  /** Of a terminal of this name something came that is no outcome. */
  nonsense(name: string, what: string): void
  note(outcomes: Outcome[]): void
  /** Those who are not to be given anything. */
  aside(): NonNullable<FleetMember['aside']>
  /** Says who came and who went; now and then. */
  look(): void
}

/** A little more than they have hands, so that nobody waits for the next task while it travels. */
const AHEAD = 1.25
const NONSENSE_ENOUGH = 5
const ASIDE_MS: Millis = 10 * MINUTE
/** Of the last so many polls of a terminal all failed in silence, and of those of others less than half: it is not the web. */
const LAST = 40

interface Standing {
  nonsense: number[]
  /** Of the last ones, true where nobody answered. */
  silences: boolean[]
}

export function createCrew({ fleet, clock, share, emit }: CrewParts): Crew {
  const standings = new Map<string, Standing>()
  const asides = new Map<string, { why: string; until: Instant }>()
  let known = new Set<string>()

  const terminals = (): SeenMember[] => fleet.members().filter(({ role }) => role === 'fetcher')

  function standingOf(name: string): Standing {
    const standing = standings.get(name) ?? { nonsense: [], silences: [] }
    standings.set(name, standing)
    return standing
  }

  function setAside(name: string, why: string): void {
    if (isAside(name) || !canBeSpared(name)) return
    asides.set(name, { why, until: clock.now() + ASIDE_MS })
    standings.delete(name)
    emit({ kind: 'terminal', at: clock.now(), name, what: 'aside', why })
  }

  /** Where most of them seem to be broken, it is not they; and somebody has to go. What other controllers have said counts, too. */
  function canBeSpared(name: string): boolean {
    const all = terminals().map((one) => one.name)
    const gone = new Set(fleet.members().flatMap(({ aside = [] }) => aside.map((one) => one.name)))
    for (const one of asides.keys()) gone.add(one)
    gone.add(name)
    return all.filter((one) => gone.has(one)).length <= all.length / 2
  }

  function isAside(name: string): boolean {
    const held = asides.get(name)
    if (!held) return false
    if (held.until > clock.now()) return true
    asides.delete(name)
    emit({ kind: 'terminal', at: clock.now(), name, what: 'trusted' })
    return false
  }

  function aside(): NonNullable<FleetMember['aside']> {
    return [...asides].flatMap(([name, held]) => (isAside(name) ? [{ name, ...held }] : []))
  }

  function othersAreWell(name: string): boolean {
    let [silent, all] = [0, 0]
    for (const [other, { silences }] of standings) {
      if (other === name) continue
      all += silences.length
      silent += silences.filter(Boolean).length
    }
    return all >= LAST && silent < all / 2
  }

  return {
    hands() {
      const ours = { role: 'controller', name: '', aside: aside() } as const
      const gone = terminalsAside([...fleet.members(), ours])
      const all = terminals().reduce((sum, { name, hands = 0 }) => sum + (gone.has(name) ? 0 : hands), 0)
      return all === 0 ? 0 : Math.max(1, Math.floor(all * share() * AHEAD))
    },
    nonsense(name, what) {
      const { nonsense } = standingOf(name)
      const now = clock.now()
      nonsense.push(now)
      while ((nonsense[0] ?? now) < now - ASIDE_MS) nonsense.shift()
      if (nonsense.length >= NONSENSE_ENOUGH) setAside(name, `what it answers cannot be read (${what})`)
    },
    note(outcomes) {
      for (const { by, task, result } of outcomes) {
        if (by === undefined || task.kind !== 'poll' || result.kind === 'unsent') continue
        const { silences } = standingOf(by)
        silences.push(result.kind === 'failed' && isSilence(result.failure))
        if (silences.length > LAST) silences.shift()
        if (silences.length === LAST && silences.every(Boolean) && othersAreWell(by))
          setAside(by, 'nobody answers it, while others are answered: its network is not well')
      }
    },
    aside,
    look() {
      const now = new Set(terminals().map(({ name }) => name))
      for (const name of now) if (!known.has(name)) emit({ kind: 'terminal', at: clock.now(), name, what: 'came' })
      for (const name of known) if (!now.has(name)) emit({ kind: 'terminal', at: clock.now(), name, what: 'gone' })
      for (const name of known) if (!now.has(name)) standings.delete(name)
      known = now
    },
  }
}

/**
 * Takes whose answer was lost: the store may have given us leases of which nobody knows. They are found by the moment of the take,
 * and released, instead of waiting for their end.
 */
import type { Instant, Owned } from '../../model/index.ts'
import type { Agenda } from '../../ports/index.ts'
import type { Flights } from './in-flight-tasks.ts'

export interface UnsureTakes {
  /** Takes something at `now`; if that fails, its leases are released later. */
  noting<Taken>(now: Instant, take: () => Promise<Taken>): Promise<Taken>
  /** Whether there are some. */
  isOwing(): boolean
  release(): Promise<void>
}

export interface UnsureTakesParts {
  agenda: Pick<Agenda, 'leases' | 'pageLeases' | 'handBack' | 'handBackArticles'>
  flights: Pick<Flights, 'leases'>
  owned: () => Owned | undefined
}

export function createUnsureTakes({ agenda, flights, owned }: UnsureTakesParts): UnsureTakes {
  const failedAt = new Set<Instant>()
  return {
    async noting(now, take) {
      try {
        return await take()
      } catch (error) {
        failedAt.add(now)
        throw error
      }
    },
    isOwing: () => failedAt.size > 0,
    async release() {
      if (failedAt.size === 0) return
      const [leases, pages] = [await agenda.leases(owned()), await agenda.pageLeases(owned())]
      const held = flights.leases()
      const isOrphan = ({ lease, takenAt }: (typeof leases | typeof pages)[number]) =>
        failedAt.has(takenAt) && !held.has(lease)
      await agenda.handBack(leases.filter(isOrphan))
      await agenda.handBackArticles(pages.filter(isOrphan))
      failedAt.clear()
    },
  }
}

/** Fleet members by their heartbeats. */
import type { Clock, FleetMember, SeenMember } from '../ports/index.ts'
import { GONE_MS } from '../ports/index.ts'

export interface Members {
  /** `at`: by the sender's clock. */
  hear(member: FleetMember, at: number): void
  all(): SeenMember[]
}

const MOST_MEMBERS = 10_000

export function createMembers(clock: Pick<Clock, 'now'>): Members {
  const seen = new Map<string, SeenMember>()
  return {
    hear(member, at) {
      const seenAt = clock.now()
      if (seen.has(member.name) || seen.size < MOST_MEMBERS)
        seen.set(member.name, { ...member, seenAt, aheadMs: at - seenAt })
    },
    all() {
      const now = clock.now()
      for (const [name, { seenAt }] of seen) if (seenAt + GONE_MS <= now) seen.delete(name)
      return [...seen.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    },
  }
}

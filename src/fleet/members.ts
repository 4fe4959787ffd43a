/** Fleet members by their heartbeats. */
import type { Clock, FleetMember, SeenMember } from '../ports/index.ts'
import { MEMBER_TIMEOUT_MS } from '../ports/index.ts'

export interface Members {
  /** `at`: by the sender's clock. */
  update(member: FleetMember, at: number): void
  all(): SeenMember[]
}

const MAX_MEMBERS = 10_000

export function createMembers(clock: Pick<Clock, 'now'>): Members {
  const seen = new Map<string, SeenMember>()
  return {
    update(member, at) {
      const seenAt = clock.now()
      if (seen.has(member.name) || seen.size < MAX_MEMBERS)
        seen.set(member.name, { ...member, seenAt, aheadMs: at - seenAt })
    },
    all() {
      const now = clock.now()
      for (const [name, { seenAt }] of seen) if (seenAt + MEMBER_TIMEOUT_MS <= now) seen.delete(name)
      return [...seen.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    },
  }
}

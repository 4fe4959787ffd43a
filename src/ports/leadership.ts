/**
 * Leader election for tasks that only one process may perform at a time: indexing, grouping, retention, pricing. A leader renews its
 * term; one that does not is replaced. The epoch increments with each new leader, so that an outdated leader can be detected.
 */
import type { Instant } from '../model/index.ts'

export interface Leadership {
  /** Applies for leadership until `until`, or renews it. Returns the epoch of its term, or undefined if another process leads. */
  lead(role: string, name: string, now: Instant, until: Instant): Promise<number | undefined>
  /** Ends its term, if it is the leader. */
  resign(role: string, name: string): Promise<void>
}

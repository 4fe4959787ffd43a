/**
 * Who of several does what only one may do at a time: index, place, forget, set the price. Whoever leads says so again and again;
 * who does not is replaced. At each change of hands the epoch grows by one, so that whoever slept through it can be told.
 */
import type { Instant } from '../model/index.ts'

export interface Leadership {
  /** Says that `name` lives until `until` and would do this; answers the epoch in which it does, or nothing if somebody else does. */
  lead(role: string, name: string, now: Instant, until: Instant): Promise<number | undefined>
  /** Gives it up, if it was its own, for whoever asks next. */
  resign(role: string, name: string): Promise<void>
}

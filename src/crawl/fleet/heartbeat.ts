/** Says every two seconds that a process of a fleet lives, and how it stands. */
import { type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Fleet, FleetMember } from '../../ports/index.ts'

const BEATS_EVERY_MS: Millis = 2 * SECOND

export async function beatUntil(
  signal: AbortSignal,
  { fleet, clock }: { fleet: Pick<Fleet, 'beat'>; clock: Clock },
  member: () => FleetMember,
): Promise<void> {
  while (!signal.aborted) {
    fleet.beat(member())
    await clock.sleepUntil(clock.now() + BEATS_EVERY_MS, signal)
  }
}

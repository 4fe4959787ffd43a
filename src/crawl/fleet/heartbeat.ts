/** Heartbeats: a process of a fleet reports its status every two seconds. */
import { type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Fleet, FleetMember } from '../../ports/index.ts'

const HEARTBEAT_INTERVAL_MS: Millis = 2 * SECOND

export async function sendHeartbeats(
  signal: AbortSignal,
  { fleet, clock }: { fleet: Pick<Fleet, 'heartbeat'>; clock: Clock },
  member: () => FleetMember,
): Promise<void> {
  while (!signal.aborted) {
    fleet.heartbeat(member())
    await clock.sleepUntil(clock.now() + HEARTBEAT_INTERVAL_MS, signal)
  }
}

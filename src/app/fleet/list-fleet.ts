/** Lists the processes of a fleet. */
import { systemClock } from '../../clocks/system-clock.ts'
import { type Millis, SECOND } from '../../model/index.ts'
import type { SeenMember } from '../../ports/index.ts'
import type { Config } from '../config.ts'
import { joinFleet } from './join-fleet.ts'

/** Listens until every process has sent a heartbeat, and returns the processes. */
export async function listFleet(config: Config): Promise<SeenMember[]> {
  const clock = systemClock()
  const { fleet, leave } = await joinFleet('server', config, clock, () => {})
  await clock.sleepUntil(clock.now() + LISTEN_MS)
  const members = fleet.members()
  await leave()
  return members
}

const LISTEN_MS: Millis = 2.5 * SECOND

/** Prints the processes of a fleet. */
import type { FleetMemberShape } from '../api/index.ts'
import { formatDuration } from '../model/index.ts'
import type { FleetMembers } from '../views/index.ts'
import { count, type Io, plainLine, printJson } from './io.ts'

/** Smaller clock offsets are not reported. */
const CLOCK_OFF_MS = 2000

export function showFleet(io: Io, fleet: FleetMembers, asJson: boolean): void {
  if (asJson) {
    printJson(io, fleet)
    return
  }
  const { fetchers, others } = fleet
  if (fetchers.length + others.length === 0) {
    io.out('no process is running: start freshet controller, fetcher and indexer with the same --queue')
    return
  }
  for (const { name, role, version, buckets, leaderTasks } of others) {
    const does =
      buckets !== undefined
        ? `, ${buckets} of 256 buckets`
        : leaderTasks?.length
          ? `, leads ${leaderTasks.join(', ')}`
          : ''
    io.out(plainLine(`${name}: ${role} ${version}${does}`))
  }
  for (const one of fetchers) io.out(plainLine(fetcherLine(one)))
}

export function fetcherLine(member: FleetMemberShape): string {
  const {
    name,
    version,
    region,
    activeTasks = 0,
    slots = 0,
    completedTasks = 0,
    clockAheadMs,
    quarantine: quarantined,
  } = member
  const where = region ? ` in ${region}` : ''
  const isOff = Math.abs(clockAheadMs) > CLOCK_OFF_MS
  const clock = isOff
    ? `, its clock is ${formatDuration(Math.abs(clockAheadMs))} ${clockAheadMs > 0 ? 'ahead' : 'behind'}`
    : ''
  const trust = quarantined ? `, quarantined: ${quarantined.reason}` : ''
  const done = `${activeTasks} of ${count(slots, 'slot')} in use, ${count(completedTasks, 'task')} done`
  return `${name}: fetcher ${version}${where}, ${done}${clock}${trust}`
}

/** The number of processes of each role. Undefined without a fleet. */
export function fleetLine({ fetchers, others }: FleetMembers): string | undefined {
  if (others.length === 0) return undefined
  const of = (role: FleetMemberShape['role']) => count(others.filter((one) => one.role === role).length, role)
  const quarantined = fetchers.filter((one) => one.quarantine).length
  const quarantinedText = quarantined > 0 ? ` (${quarantined} quarantined)` : ''
  return `fleet: ${of('controller')}, ${count(fetchers.length, 'fetcher')}${quarantinedText}, ${of('indexer')}, ${of('server')}`
}

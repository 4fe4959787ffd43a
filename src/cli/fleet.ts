/** The processes of a fleet, as lines. */
import type { FleetMemberShape } from '../api/index.ts'
import { formatDuration } from '../model/index.ts'
import type { FleetMembers } from '../views/index.ts'
import { count, type Io, plainLine, printJson } from './io.ts'

/** A clock that is off by less is as good as right. */
const CLOCK_OFF_MS = 2000

export function showFleet(io: Io, fleet: FleetMembers, asJson: boolean): void {
  if (asJson) {
    printJson(io, fleet)
    return
  }
  const { terminals, others } = fleet
  if (terminals.length + others.length === 0) {
    io.out('no process is running: start freshet controller, fetcher and indexer with the same --queue')
    return
  }
  for (const { name, role, version, buckets, duties } of others) {
    const does =
      buckets !== undefined ? `, ${buckets} of 256 buckets` : duties?.length ? `, leads ${duties.join(', ')}` : ''
    io.out(plainLine(`${name}: ${role} ${version}${does}`))
  }
  for (const one of terminals) io.out(plainLine(terminalLine(one)))
}

export function terminalLine(member: FleetMemberShape): string {
  const { name, version, region, load = 0, hands = 0, performed = 0, clockAheadMs, aside } = member
  const where = region ? ` in ${region}` : ''
  const isOff = Math.abs(clockAheadMs) > CLOCK_OFF_MS
  const clock = isOff
    ? `, its clock is ${formatDuration(Math.abs(clockAheadMs))} ${clockAheadMs > 0 ? 'ahead' : 'behind'}`
    : ''
  const trust = aside ? `, quarantined: ${aside.why}` : ''
  const done = `${load} of ${count(hands, 'slot')} in use, ${count(performed, 'task')} done`
  return `${name}: fetcher ${version}${where}, ${done}${clock}${trust}`
}

/** How many of each there are; undefined where everything is one process. */
export function fleetLine({ terminals, others }: FleetMembers): string | undefined {
  if (others.length === 0) return undefined
  const of = (role: FleetMemberShape['role']) => count(others.filter((one) => one.role === role).length, role)
  const aside = terminals.filter((one) => one.aside).length
  const held = aside > 0 ? ` (${aside} quarantined)` : ''
  return `fleet: ${of('controller')}, ${count(terminals.length, 'fetcher')}${held}, ${of('indexer')}, ${of('server')}`
}

/** The processes of a fleet, as lines. */
import { formatDuration } from '../model/index.ts'
import type { MembersShown } from '../views/index.ts'
import { count, type Io, plainLine, printJson } from './io.ts'

/** A clock that is off by less is as good as right. */
const CLOCK_OFF_MS = 2000

export function showFleet(io: Io, fleet: MembersShown, asJson: boolean): void {
  if (asJson) {
    printJson(io, fleet)
    return
  }
  const { terminals, others } = fleet
  if (terminals.length + others.length === 0) {
    io.out('nobody is there: start freshet controller, terminal and keeper with the same --queue')
    return
  }
  for (const { name, role, version, buckets, duties } of others) {
    const does =
      buckets !== undefined ? `, ${buckets} of 256 buckets` : duties?.length ? `, sees to ${duties.join(', ')}` : ''
    io.out(plainLine(`${name}: ${role} ${version}${does}`))
  }
  for (const { name, version, region, load = 0, hands = 0, performed = 0, clockAheadMs, aside } of terminals) {
    const where = region ? ` in ${region}` : ''
    const isOff = Math.abs(clockAheadMs) > CLOCK_OFF_MS
    const clock = isOff
      ? `, its clock is ${formatDuration(Math.abs(clockAheadMs))} ${clockAheadMs > 0 ? 'ahead' : 'behind'}`
      : ''
    const trust = aside ? `, set aside: ${aside.why}` : ''
    const done = `${load} of ${count(hands, 'hand')} busy, ${count(performed, 'task')} performed`
    io.out(plainLine(`${name}: terminal ${version}${where}, ${done}${clock}${trust}`))
  }
}

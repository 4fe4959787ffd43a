/** The processes of a fleet, as they are shown: terminals, and the others. */
import type { FleetMemberShape } from '../api/index.ts'
import { type SeenMember, terminalsAside } from '../ports/index.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

export interface FleetMembers {
  terminals: FleetMemberShape[]
  others: FleetMemberShape[]
}

export function fleetMembers(members: SeenMember[]): FleetMembers {
  const aside = terminalsAside(members)
  const shown = members.map((member): FleetMemberShape => {
    const { name, role, version, region, startedAt, seenAt, aheadMs, hands, load, performed, buckets, duties } = member
    const held = aside.get(name)
    return {
      name,
      role,
      version,
      startedAt: isoDate(startedAt),
      seenAt: isoDate(seenAt),
      clockAheadMs: Math.round(aheadMs),
      ...omitUndefined({ region, hands, load, performed, buckets, duties }),
      ...(held && { aside: { why: held.why, until: isoDate(held.until) } }),
    }
  })
  return {
    terminals: shown.filter(({ role }) => role === 'fetcher'),
    others: shown.filter(({ role }) => role !== 'fetcher'),
  }
}

/** The processes of a fleet, as they are shown: terminals, and the others. */
import type { FleetMemberShape } from '../api/index.ts'
import { type SeenMember, terminalsAside } from '../ports/index.ts'
import { iso, present } from './shapes/present.ts'

export interface MembersShown {
  terminals: FleetMemberShape[]
  others: FleetMemberShape[]
}

export function membersShown(members: SeenMember[]): MembersShown {
  const aside = terminalsAside(members)
  const shown = members.map((member): FleetMemberShape => {
    const { name, role, version, region, startedAt, seenAt, aheadMs, hands, load, performed, buckets, duties } = member
    const held = aside.get(name)
    return {
      name,
      role,
      version,
      startedAt: iso(startedAt),
      seenAt: iso(seenAt),
      clockAheadMs: Math.round(aheadMs),
      ...present({ region, hands, load, performed, buckets, duties }),
      ...(held && { aside: { why: held.why, until: iso(held.until) } }),
    }
  })
  return {
    terminals: shown.filter(({ role }) => role === 'fetcher'),
    others: shown.filter(({ role }) => role !== 'fetcher'),
  }
}

/** The processes of a fleet: fetchers, and all others. */
import type { FleetMemberShape } from '../api/index.ts'
import { quarantinedFetchers, type SeenMember } from '../ports/index.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

export interface FleetMembers {
  fetchers: FleetMemberShape[]
  others: FleetMemberShape[]
}

export function fleetMembers(members: SeenMember[]): FleetMembers {
  const quarantined = quarantinedFetchers(members)
  const shown = members.map((member): FleetMemberShape => {
    const {
      name,
      role,
      version,
      region,
      startedAt,
      seenAt,
      aheadMs,
      slots,
      activeTasks,
      completedTasks,
      buckets,
      leaderTasks,
    } = member
    const quarantine = quarantined.get(name)
    return {
      name,
      role,
      version,
      startedAt: isoDate(startedAt),
      seenAt: isoDate(seenAt),
      clockAheadMs: Math.round(aheadMs),
      ...omitUndefined({ region, slots, activeTasks, completedTasks, buckets, leaderTasks }),
      ...(quarantine && { quarantine: { reason: quarantine.reason, until: isoDate(quarantine.until) } }),
    }
  })
  return {
    fetchers: shown.filter(({ role }) => role === 'fetcher'),
    others: shown.filter(({ role }) => role !== 'fetcher'),
  }
}

/** Leader election among the users of one memory store. */
import type { Instant } from '../../model/index.ts'
import type { Leadership } from '../../ports/index.ts'

export function leadershipOf(): Leadership {
  const roles = new Map<string, { leader?: string; until: Instant; epoch: number }>()
  return {
    async lead(role, name, now, until) {
      const current = roles.get(role) ?? { until: 0, epoch: 0 }
      const isMine = current.leader === name && current.until > now
      if (!isMine && current.leader !== undefined && current.until > now) return undefined
      const epoch = current.epoch + (isMine ? 0 : 1)
      roles.set(role, { leader: name, until, epoch })
      return epoch
    },
    async resign(role, name) {
      const current = roles.get(role)
      if (current?.leader === name) roles.set(role, { until: 0, epoch: current.epoch })
    },
  }
}

/** Who leads, of those who share a memory store. */
import type { Instant } from '../../model/index.ts'
import type { Leadership } from '../../ports/index.ts'

export function memoryLeadership(): Leadership {
  const roles = new Map<string, { leader?: string; until: Instant; epoch: number }>()
  return {
    async lead(role, name, now, until) {
      const held = roles.get(role) ?? { until: 0, epoch: 0 }
      const isMine = held.leader === name && held.until > now
      if (!isMine && held.leader !== undefined && held.until > now) return undefined
      const epoch = held.epoch + (isMine ? 0 : 1)
      roles.set(role, { leader: name, until, epoch })
      return epoch
    },
    async resign(role, name) {
      const held = roles.get(role)
      if (held?.leader === name) roles.set(role, { until: 0, epoch: held.epoch })
    },
  }
}

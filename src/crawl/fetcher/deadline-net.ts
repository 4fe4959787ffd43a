/**
 * A net that makes no request after the deadline of its task. A task may be delayed between machines, and a fetcher may be paused or
 * disconnected in the middle of one; then another fetcher may already be visiting the host. The deadline is checked before every
 * request, after name lookups, and after opening connections and following redirects.
 */
import type { Net, NetAnswer } from '../../ports/index.ts'

/** The task has no outcome; the controller notices when its lease expires. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('the deadline of this task has passed')
  }
}

export function deadlineNet(net: Net, isLate: (() => boolean) | undefined): Net {
  if (!isLate) return net
  const checkDeadline = () => {
    if (isLate()) throw new DeadlineExceeded()
  }
  /** A failure after the deadline says nothing about the server. */
  const unlessLate = async (pending: Promise<NetAnswer>) => {
    const answer = await pending
    if (!answer.ok) checkDeadline()
    return answer
  }
  return {
    ...net,
    async get(request) {
      checkDeadline()
      return unlessLate(net.get({ ...request, isLate }))
    },
    async post(request) {
      checkDeadline()
      return unlessLate(net.post({ ...request, isLate }))
    },
  }
}

/**
 * A net for a task that must not be late. Between machines a task may be carried for long, a terminal may be stopped in the middle
 * of it, or be cut off: then its turn at the door is over, perhaps somebody else is there, and no further request is made.
 */
import type { Net } from '../../ports/index.ts'

/** Nothing can be said of what was asked for; whoever sent the task notices that it is lost. */
export class TooLate extends Error {
  constructor() {
    super('the turn of this task is over')
  }
}

export function timelyNet(net: Net, isLate: (() => boolean) | undefined): Net {
  if (!isLate) return net
  const inTime = () => {
    if (isLate()) throw new TooLate()
  }
  return {
    ...net,
    async get(request) {
      inTime()
      return net.get(request)
    },
    async post(request) {
      inTime()
      return net.post(request)
    },
  }
}

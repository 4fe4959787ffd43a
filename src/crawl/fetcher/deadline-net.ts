/**
 * A net for a task that must not be late. Between machines a task may be carried for long, a terminal may be stopped in the middle
 * of it, or be cut off: then its turn at the door is over, perhaps somebody else is there, and no further request is made. The net asks
 * once more whenever it is about to speak, after names were looked up, connections opened and redirects followed.
 */
import type { Net, NetAnswer } from '../../ports/index.ts'

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
  /** What failed because it was late says nothing about who was to be asked. */
  const orLate = async (asked: Promise<NetAnswer>) => {
    const answer = await asked
    if (!answer.ok) inTime()
    return answer
  }
  return {
    ...net,
    async get(request) {
      inTime()
      return orLate(net.get({ ...request, isLate }))
    },
    async post(request) {
      inTime()
      return orLate(net.post({ ...request, isLate }))
    },
  }
}

/** What can be wrong with a queue between machines when it is opened. Thrown, because a process of a fleet can do nothing without it. */
import { HintedError } from '../model/index.ts'

export class QueueError extends HintedError {}

/** What `apply` throws where outcomes have come to who does not know that they are his: they are brought again, and count as never brought. */
export class NotOursNow extends Error {
  constructor() {
    super('these may belong to somebody else by now')
  }
}

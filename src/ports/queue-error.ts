/** Errors of the task queue. */
import { HintedError } from '../model/index.ts'

/** The queue cannot be opened. Thrown, because the processes of a fleet cannot work without it. */
export class QueueError extends HintedError {}

/** Thrown by `apply` if the controller may not own the bucket of these outcomes. They are redelivered, and this delivery does not count. */
export class NotOwnerError extends Error {
  constructor() {
    super('another controller may own the bucket of these outcomes by now')
  }
}

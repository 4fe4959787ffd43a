/** What can be wrong with a queue between machines when it is opened. Thrown, because a process of a fleet can do nothing without it. */
import { HintedError } from '../model/index.ts'

export class QueueError extends HintedError {}

/** Pulls as many tasks as there are free slots, so that work goes where there is capacity. */
import { type Millis, SECOND } from '../../model/index.ts'
import { createWakeableSleep } from '../wakeable-sleep.ts'
import type { NatsLink } from './connection.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import { FETCHERS_CONSUMER, NANOS_PER_MS, type QueueNames } from './names.ts'
import { pause } from './pause.ts'
import { monotonicNow } from './task-heartbeat.ts'

export interface TaskPull {
  start(): void
  /** Call when a slot becomes free. */
  wake(): void
  /** Pauses or resumes pulling. */
  rest(isResting: boolean): void
  /** Stops pulling for good. */
  stop(): void
  unsubscribe(): void
}

export interface TaskPullParts {
  link: NatsLink
  names: QueueNames
  freeSlots: () => number
  /** Returns whether the task was accepted. */
  receive: (delivery: Delivery) => boolean
  onInternalError: (error: unknown) => void
}

const PULL_MS: Millis = 5 * SECOND
const RETRY_MS: Millis = 250
/** The stream is lost; a controller will create it again. */
const NO_RESPONDERS = 503

export function createTaskPull({ link, names, freeSlots, receive, onInternalError }: TaskPullParts): TaskPull {
  const { nc } = link
  const inbox = link.newInbox()
  const waiting = createWakeableSleep()
  let isStopped = false
  let isResting = false
  /** Tasks requested but not received. */
  let requested = 0
  let isUnanswered = false

  async function pull(): Promise<void> {
    while (!isStopped) {
      const free = freeSlots()
      if (free <= 0 || isResting || !link.isUp()) {
        await waiting.sleep(RETRY_MS)
        continue
      }
      if (isUnanswered) await pause(RETRY_MS)
      isUnanswered = false
      requested = free
      const request = { batch: free, expires: PULL_MS * NANOS_PER_MS }
      nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${names.tasks}.${FETCHERS_CONSUMER}`, JSON.stringify(request), {
        reply: inbox,
      })
      const until = monotonicNow() + PULL_MS + RETRY_MS
      while (requested > 0 && !isStopped && link.isUp() && monotonicNow() < until)
        await waiting.sleep(until - monotonicNow())
    }
  }

  const subscription = nc.subscribe(inbox, {
    callback: (error, message) => {
      if (error) return
      if (message.headers?.code) {
        requested = 0 // nothing came in time, or the server shuts down
        isUnanswered = message.headers.code === NO_RESPONDERS
      } else if (receive(deliveryOf(nc, message))) requested--
      waiting.wake()
    },
  })

  return {
    start: () => void pull().catch(onInternalError),
    wake: waiting.wake,
    rest(resting) {
      isResting = resting
      waiting.wake()
    },
    stop() {
      isStopped = true
      waiting.wake()
    },
    unsubscribe() {
      if (!nc.isClosed()) subscription.unsubscribe()
    },
  }
}

/** Fleet communication within one process: for tests with several members, and for a single process. */
import type { Bucket, FeedId } from '../model/index.ts'
import type { Clock, Fleet, FleetMember } from '../ports/index.ts'
import { createMembers } from './members.ts'

/** Every member receives all messages, asynchronously. */
export function createInProcessFleet(): (clock: Pick<Clock, 'now'>) => Fleet {
  interface Subscriber {
    onHeartbeat(member: FleetMember, at: number): void
    onWake(bucket: Bucket | undefined, requested: FeedId | undefined): void
    onEvent(what: unknown): void
    onQuestion(bucket: Bucket, question: unknown): Promise<unknown> | undefined
  }
  const subscribers = new Set<Subscriber>()

  return (clock) => {
    const members = createMembers(clock)
    const wakeListeners: Parameters<Fleet['onWake']>[0][] = []
    const eventListeners: Parameters<Fleet['onBroadcast']>[0][] = []
    let questionHandler: Parameters<Fleet['answer']>[0] = () => undefined
    const self: Subscriber = {
      onHeartbeat: members.update,
      onWake(bucket, requested) {
        for (const listener of wakeListeners) listener(bucket, requested)
      },
      onEvent(what) {
        for (const listener of eventListeners) listener(what)
      },
      onQuestion: (bucket, question) => questionHandler(bucket, question),
    }
    subscribers.add(self)
    const broadcast = (send: (subscriber: Subscriber) => void, exceptSelf = false) => {
      queueMicrotask(() => {
        for (const subscriber of subscribers) if (!(exceptSelf && subscriber === self)) send(subscriber)
      })
    }
    return {
      heartbeat(member) {
        const at = clock.now()
        broadcast((subscriber) => subscriber.onHeartbeat(structuredClone(member), at))
      },
      members: members.all,
      wake: (bucket, requested) => broadcast((subscriber) => subscriber.onWake(bucket, requested)),
      onWake: (listener) => void wakeListeners.push(listener),
      broadcast: (what) => broadcast((subscriber) => subscriber.onEvent(structuredClone(what)), true),
      onBroadcast: (listener) => void eventListeners.push(listener),
      async ask(bucket, question) {
        for (const subscriber of subscribers) {
          const answer = subscriber.onQuestion(bucket, structuredClone(question))
          if (answer) return structuredClone(await answer)
        }
        throw new Error(`no controller owns bucket ${bucket} at the moment`)
      },
      answer(handler) {
        questionHandler = handler
      },
      async close() {
        subscribers.delete(self)
      },
    }
  }
}

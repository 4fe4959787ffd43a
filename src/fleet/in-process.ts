/** Fleet communication within one process: for tests with several members, and for a single process. */
import type { Bucket, FeedId } from '../model/index.ts'
import type { Clock, Fleet, FleetMember } from '../ports/index.ts'
import { createMembers } from './members.ts'

/** Every member receives all messages, asynchronously. */
export function createInProcessFleet(): (clock: Pick<Clock, 'now'>) => Fleet {
  interface Ear {
    beat(member: FleetMember, at: number): void
    woken(bucket: Bucket | undefined, asked: FeedId | undefined): void
    told(what: unknown): void
    asked(bucket: Bucket, question: unknown): Promise<unknown> | undefined
  }
  const ears = new Set<Ear>()

  return (clock) => {
    const members = createMembers(clock)
    const wakes: Parameters<Fleet['onWake']>[0][] = []
    const tellings: Parameters<Fleet['onTold']>[0][] = []
    let answerer: Parameters<Fleet['answer']>[0] = () => undefined
    const mine: Ear = {
      beat: members.hear,
      woken(bucket, asked) {
        for (const listener of wakes) listener(bucket, asked)
      },
      told(what) {
        for (const listener of tellings) listener(what)
      },
      asked: (bucket, question) => answerer(bucket, question),
    }
    ears.add(mine)
    const toAll = (say: (ear: Ear) => void, butMe = false) => {
      queueMicrotask(() => {
        for (const ear of ears) if (!(butMe && ear === mine)) say(ear)
      })
    }
    return {
      beat(member) {
        const at = clock.now()
        toAll((ear) => ear.beat(structuredClone(member), at))
      },
      members: members.all,
      wake: (bucket, asked) => toAll((ear) => ear.woken(bucket, asked)),
      onWake: (listener) => void wakes.push(listener),
      tell: (what) => toAll((ear) => ear.told(structuredClone(what)), true),
      onTold: (listener) => void tellings.push(listener),
      async ask(bucket, question) {
        for (const ear of ears) {
          const answer = ear.asked(bucket, structuredClone(question))
          if (answer) return structuredClone(await answer)
        }
        throw new Error(`nobody has bucket ${bucket} at the moment`)
      },
      answer(given) {
        answerer = given
      },
      async close() {
        ears.delete(mine)
      },
    }
  }
}

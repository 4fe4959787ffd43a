/**
 * A store, a queue and a network that fail transiently: at one chosen call, or at random from a seed. A call fails either before it takes
 * effect, or after it, with its answer lost. The result must be the same as without failures.
 */
import type { Net, Store } from '../src/ports/index.ts'
import { type Dispatch, StoreError } from '../src/ports/index.ts'
import { createChance } from './invalid-values.ts'

export type FaultTime = 'before' | 'after'

export interface Faults {
  /** Asked at each call: whether it fails, and when. */
  at(call: string): FaultTime | undefined
  /** How many calls there were. */
  calls(): number
  /** Those that failed. */
  failed: { nth: number; call: string; when: FaultTime }[]
  /** Nothing fails from now on. */
  stop(): void
}

function createFaults(decide: (nth: number, call: string) => FaultTime | undefined): Faults {
  let calls = 0
  let isOver = false
  const failed: Faults['failed'] = []
  return {
    at(call) {
      const nth = ++calls
      const when = isOver ? undefined : decide(nth, call)
      if (when) failed.push({ nth, call, when })
      return when
    },
    calls: () => calls,
    failed,
    stop() {
      isOver = true
    },
  }
}

/** Just the nth call fails, or with `times` as many in a row: as one after a server that is away for a while. */
export function faultAt(nth: number, when: FaultTime, times = 1): Faults {
  return createFaults((call) => (call >= nth && call < nth + times ? when : undefined))
}

/**
 * About so many of a thousand calls fail, some of them several in a row; of those that are made seldom, as at a start or a takeover,
 * more.
 */
export function randomFaults(seed: number, perThousand: number): Faults {
  const chance = createChance(seed)
  const made = new Map<string, number>()
  let inARow = 0
  return createFaults((_, call) => {
    const before = made.get(call) ?? 0
    made.set(call, before + 1)
    const share = (perThousand / 1000) * Math.max(1, SELDOM / (before + 1))
    if (inARow === 0 && chance.is(Math.min(0.3, share))) inARow = chance.is(0.7) ? 1 : 1 + Math.floor(chance.next() * 5)
    if (inARow === 0) return undefined
    inARow--
    return chance.is(0.5) ? 'before' : 'after'
  })
}

const SELDOM = 50

const STREAMS = new Set<keyof Store>([
  'everyFeed',
  'everyEntry',
  'everyPoll',
  'everyPush',
  'pollsToForget',
  'everyArticle',
  'everyFeedsReads',
  'signatures',
])
/** What ends a process, and what has no answer. */
const UNFAILING = new Set<keyof Store>(['close'])

function storeError(): StoreError {
  return new StoreError('no-access', 'the database server cannot be reached', 'Wait.', { isPassing: true })
}

/** What people ask for is theirs to ask for again. */
export const REQUESTED_BY_USERS = new Set<keyof Store>([
  'addFeeds',
  'addSources',
  'follow',
  'firstPerson',
  'memoriesAt',
  'changeFeed',
  'removeFeed',
  'feedAt',
  'people',
  'sourceAt',
])

export function createFailingStore(inner: Store, faults: Faults, spared: ReadonlySet<keyof Store> = new Set()): Store {
  const call = (name: keyof Store, given: unknown[]): unknown => Reflect.apply(inner[name], inner, given)

  const answering =
    (name: keyof Store) =>
    async (...given: unknown[]) => {
      const when = faults.at(name)
      if (when === 'before') throw storeError()
      const answer = await call(name, given)
      if (when === 'after') throw storeError()
      return answer
    }

  const streaming = (name: keyof Store) =>
    async function* (...given: unknown[]) {
      const when = faults.at(name)
      if (when === 'before') throw storeError()
      yield* call(name, given) as AsyncIterable<unknown>
      if (when === 'after') throw storeError()
    }

  const names = Object.keys(inner) as (keyof Store)[]
  const methods = names.map((name) => {
    if (UNFAILING.has(name) || spared.has(name)) return [name, inner[name]]
    return [name, STREAMS.has(name) ? streaming(name) : answering(name)]
  })
  return Object.fromEntries(methods)
}

class QueueFault extends Error {}

/** Which is told as what went wrong in a round, and is no mistake of ours. */
export function isQueueFault(error: unknown): boolean {
  return error instanceof QueueFault
}

/** What it does not take is not sent: whether something was sent is never in doubt, as the port promises. */
export function createFailingQueue<Queue extends Dispatch>(inner: Queue, faults: Faults): Queue {
  const refused = () => new QueueFault('the queue cannot be reached')
  return {
    ...inner,
    async send(tasks) {
      if (faults.at('send')) throw refused()
      await inner.send(tasks)
    },
    ...(inner.own && {
      async own(buckets) {
        const when = faults.at('own')
        if (when === 'before') throw refused()
        await inner.own?.(buckets)
        if (when === 'after') throw refused()
      },
    }),
    ...(inner.recall && {
      async recall(tasks) {
        const when = faults.at('recall')
        if (when === 'before') throw refused()
        await inner.recall?.(tasks)
        if (when === 'after') throw refused()
      },
    }),
  }
}

/** Servers that do not answer in time, or whose answer breaks off. */
export function createFailingNet(inner: Net, faults: Faults): Net {
  return {
    ...inner,
    async get(request) {
      const when = faults.at('get')
      if (when === 'before') return { ok: false, failure: { kind: 'timeout' } }
      const answer = await inner.get(request)
      return when === 'after' ? { ok: false, failure: { kind: 'broken-body' } } : answer
    },
  }
}

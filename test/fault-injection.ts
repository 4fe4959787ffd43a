/**
 * A store, a queue and a network that fail transiently: at one chosen call, or at random from a seed. A call fails either before it takes
 * effect, or after it, with its answer lost. The result must be the same as without failures.
 */
import type { Net, Store } from '../src/ports/index.ts'
import { type ControllerQueue, StoreError } from '../src/ports/index.ts'
import { createRandom } from './invalid-values.ts'

export type FaultTime = 'before' | 'after'

export interface Faults {
  /** Called for each call: whether it fails, before or after it takes effect. */
  at(call: string): FaultTime | undefined
  calls(): number
  /** The calls that failed. */
  failed: { nth: number; call: string; when: FaultTime }[]
  /** No call fails from now on. */
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

/** Only the nth call fails, or `times` calls in a row, like a server that is away for a while. */
export function faultAt(nth: number, when: FaultTime, times = 1): Faults {
  return createFaults((call) => (call >= nth && call < nth + times ? when : undefined))
}

/** About `perThousand` of a thousand calls fail, some of them in a row. Rare calls, as at a start or a takeover, fail more often. */
export function randomFaults(seed: number, perThousand: number): Faults {
  const chance = createRandom(seed)
  const callCounts = new Map<string, number>()
  let inARow = 0
  return createFaults((_, call) => {
    const before = callCounts.get(call) ?? 0
    callCounts.set(call, before + 1)
    const share = (perThousand / 1000) * Math.max(1, RARE_CALLS / (before + 1))
    if (inARow === 0 && chance.is(Math.min(0.3, share))) inARow = chance.is(0.7) ? 1 : 1 + Math.floor(chance.next() * 5)
    if (inARow === 0) return undefined
    inARow--
    return chance.is(0.5) ? 'before' : 'after'
  })
}

const RARE_CALLS = 50

const STREAMS = new Set<keyof Store>([
  'everyFeed',
  'everyEntry',
  'everyPoll',
  'everyHubSubscription',
  'pollsToForget',
  'everyArticle',
  'everyFeedReads',
  'signatures',
])
/** Methods that never fail. */
const NEVER_FAILING = new Set<keyof Store>(['close'])

function storeError(): StoreError {
  return new StoreError('no-access', 'the database server cannot be reached', 'Wait.', { isTransient: true })
}

/** Calls for requests of users, which users repeat themselves. */
export const REQUESTED_BY_USERS = new Set<keyof Store>([
  'addFeeds',
  'addSources',
  'follow',
  'firstUser',
  'memoriesOfRoots',
  'changeFeed',
  'removeFeed',
  'feedAt',
  'allUsers',
  'sourceAt',
])

export function createFailingStore(inner: Store, faults: Faults, spared: ReadonlySet<keyof Store> = new Set()): Store {
  const call = (name: keyof Store, args: unknown[]): unknown => Reflect.apply(inner[name], inner, args)

  const failingCall =
    (name: keyof Store) =>
    async (...args: unknown[]) => {
      const when = faults.at(name)
      if (when === 'before') throw storeError()
      const answer = await call(name, args)
      if (when === 'after') throw storeError()
      return answer
    }

  const failingStream = (name: keyof Store) =>
    async function* (...args: unknown[]) {
      const when = faults.at(name)
      if (when === 'before') throw storeError()
      yield* call(name, args) as AsyncIterable<unknown>
      if (when === 'after') throw storeError()
    }

  const names = Object.keys(inner) as (keyof Store)[]
  const methods = names.map((name) => {
    if (NEVER_FAILING.has(name) || spared.has(name)) return [name, inner[name]]
    return [name, STREAMS.has(name) ? failingStream(name) : failingCall(name)]
  })
  return Object.fromEntries(methods)
}

class QueueFault extends Error {}

/** Whether an internal error of a crawl was only an injected fault of the queue. */
export function isQueueFault(error: unknown): boolean {
  return error instanceof QueueFault
}

/** A `send` that fails sends nothing, as the port guarantees. */
export function createFailingQueue<Queue extends ControllerQueue>(inner: Queue, faults: Faults): Queue {
  const queueFault = () => new QueueFault('the queue cannot be reached')
  return {
    ...inner,
    async send(tasks) {
      if (faults.at('send')) throw queueFault()
      await inner.send(tasks)
    },
    ...(inner.assignBuckets && {
      async assignBuckets(buckets) {
        const when = faults.at('own')
        if (when === 'before') throw queueFault()
        await inner.assignBuckets?.(buckets)
        if (when === 'after') throw queueFault()
      },
    }),
    ...(inner.recall && {
      async recall(tasks) {
        const when = faults.at('recall')
        if (when === 'before') throw queueFault()
        await inner.recall?.(tasks)
        if (when === 'after') throw queueFault()
      },
    }),
  }
}

/** Servers that time out, or whose response breaks off. */
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

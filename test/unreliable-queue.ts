/**
 * A queue with the guarantees of a network queue: it carries JSON only, reorders, delivers tasks and outcomes late, twice or not at all.
 * Everything follows from a seed, which a failing test prints.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Millis, Outcome, Task } from '../src/model/index.ts'
import type { Clock, Queue } from '../src/ports/index.ts'
import { createRandom, type Random } from './invalid-values.ts'

/** Rates in [0, 1] per task or outcome. The default is 0. */
export interface Unreliability {
  seed: number
  taskLossRate?: number
  outcomeLossRate?: number
  taskDuplicationRate?: number
  outcomeDuplicationRate?: number
  /** How often tasks and outcomes are late, and by how much at most, in time and in turns of the event loop. */
  delayRate?: number
  delayMs?: Millis
  delayTurns?: number
}

export interface UnreliableQueue extends Queue {
  lost: Task[]
  duplicatedTasks: number
  duplicatedOutcomes: number
  delayed: number
}

export function createUnreliableQueue(
  inner: Queue,
  clock: Clock,
  {
    seed,
    taskLossRate = 0,
    outcomeLossRate = 0,
    taskDuplicationRate = 0,
    outcomeDuplicationRate = 0,
    delayRate = 0,
    delayMs = 0,
    delayTurns = 0,
  }: Unreliability,
): UnreliableQueue {
  const chance = createRandom(seed)
  const closing = new AbortController()
  let apply: (outcomes: Outcome[]) => Promise<void> = async () => {}
  let applied = Promise.resolve()
  let deferred: Outcome[] = []

  /** Delivers one batch at a time, as the port guarantees. */
  function deliver(outcomes: Outcome[]): Promise<void> {
    const delivery = applied.then(() => apply(shuffled(outcomes, chance).map(copyAsJson)))
    applied = delivery.catch(() => {})
    return delivery
  }

  /** Delivers later. Whatever is delayed when the queue is closed is dropped. */
  async function deliverLater(deliverNow: () => Promise<void>): Promise<void> {
    queue.delayed++
    const at = clock.now() + Math.ceil(chance.next() * delayMs)
    const turns = Math.ceil(chance.next() * delayTurns)
    await clock.sleepUntil(at, closing.signal)
    for (let turn = 0; turn < turns; turn++) await yieldToEventLoop()
    if (!closing.signal.aborted) await deliverNow()
  }

  /** Returns the messages that are neither lost nor late. Late ones are delivered one by one. */
  function dropOrDelay<Message>(
    messages: Message[],
    loses: number,
    taskOf: (message: Message) => Task,
    late: (message: Message) => Promise<void>,
  ): Message[] {
    return messages.filter((message) => {
      if (chance.is(loses)) queue.lost.push(taskOf(message))
      else if (chance.is(delayRate)) void deliverLater(() => late(message))
      else return true
      return false
    })
  }

  async function deliverBatch(outcomes: Outcome[]): Promise<void> {
    const inTime = [
      ...deferred,
      ...dropOrDelay(
        outcomes,
        outcomeLossRate,
        ({ task }) => task,
        (one) => deliver([one]),
      ),
    ]
    const duplicates = outcomes.filter(() => chance.is(outcomeDuplicationRate))
    queue.duplicatedOutcomes += duplicates.length
    const [sameBatch = [], nextBatch = [], later = []] = splitRandomly(duplicates, 3, chance)
    deferred = later
    if (inTime.length + sameBatch.length > 0) await deliver([...inTime, ...sameBatch])
    if (nextBatch.length > 0) await deliver(nextBatch)
  }

  const queue: UnreliableQueue = {
    lost: [],
    duplicatedTasks: 0,
    duplicatedOutcomes: 0,
    delayed: 0,
    serve: inner.serve,
    flushOutcomes: () => inner.flushOutcomes?.(),
    async send(tasks) {
      const duplicates = tasks.filter(() => chance.is(taskDuplicationRate))
      queue.duplicatedTasks += duplicates.length
      const copies = shuffled([...tasks, ...duplicates], chance).map(copyAsJson)
      await inner.send(
        dropOrDelay(
          copies,
          taskLossRate,
          (task) => task,
          (one) => inner.send([one]),
        ),
      )
    },
    collect(applier) {
      apply = applier
      inner.collect(deliverBatch)
    },
    async close(signal) {
      closing.abort()
      await inner.close(signal)
      await applied
    },
  }
  return queue
}

/** Serializes to JSON and back, synchronously because a stepped clock waits for no other thread. Pages contain bytes. */
function copyAsJson<Message extends Task | Outcome>(message: Message): Message {
  return JSON.parse(JSON.stringify(message, bytesAsText), (_, value) => textAsBytes(value))
}

function bytesAsText(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return isBuffer(value) ? { base64: Buffer.from(value.data).toString('base64') } : value
}

function textAsBytes(value: unknown): unknown {
  const isText = typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string'
  return isText ? Buffer.from(value.base64 as string, 'base64') : value
}

/** The result of Buffer.toJSON, which JSON.stringify calls before the replacer. */
function isBuffer(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value
}

function shuffled<T>(list: T[], chance: Random): T[] {
  const keyed = list.map((item) => ({ item, key: chance.next() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

function splitRandomly<T>(list: T[], count: number, chance: Random): T[][] {
  const parts: T[][] = Array.from({ length: count }, () => [])
  for (const item of list) chance.one(parts).push(item)
  return parts
}

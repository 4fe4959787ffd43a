/**
 * A queue with the guarantees of a network queue: it carries JSON only, reorders, delivers tasks and outcomes late, twice or not at all.
 * Everything follows from a seed, which a failing test prints.
 */
import { setImmediate as letOthers } from 'node:timers/promises'
import type { Millis, Outcome, Task } from '../src/model/index.ts'
import type { Clock, Queue } from '../src/ports/index.ts'
import { type Chance, createChance } from './invalid-values.ts'

/** Each in [0, 1]: how often it happens to one of them. What is left out never happens. */
export interface Unreliability {
  seed: number
  losesTasks?: number
  losesOutcomes?: number
  doublesTasks?: number
  doublesOutcomes?: number
  /** How often something comes late, each way; and by how much at most, in time and in turns of the event loop. */
  delays?: number
  delayMs?: Millis
  delayTurns?: number
}

export interface UnreliableQueue extends Queue {
  lost: Task[]
  /** How often something came once more, or late. */
  doubledTasks: number
  doubledOutcomes: number
  delayed: number
}

export function createUnreliableQueue(
  inner: Queue,
  clock: Clock,
  {
    seed,
    losesTasks = 0,
    losesOutcomes = 0,
    doublesTasks = 0,
    doublesOutcomes = 0,
    delays = 0,
    delayMs = 0,
    delayTurns = 0,
  }: Unreliability,
): UnreliableQueue {
  const chance = createChance(seed)
  const closing = new AbortController()
  let apply: (outcomes: Outcome[]) => Promise<void> = async () => {}
  let applied = Promise.resolve()
  let withTheNext: Outcome[] = []

  /** One batch at a time, as the port promises, whichever way it came. */
  function bring(outcomes: Outcome[]): Promise<void> {
    const turn = applied.then(() => apply(shuffled(outcomes, chance).map(carry)))
    applied = turn.catch(() => {})
    return turn
  }

  /** What is still on its way when the queue is closed does not arrive. */
  async function later(bringIt: () => Promise<void>): Promise<void> {
    queue.delayed++
    const at = clock.now() + Math.ceil(chance.next() * delayMs)
    const turns = Math.ceil(chance.next() * delayTurns)
    await clock.sleepUntil(at, closing.signal)
    for (let turn = 0; turn < turns; turn++) await letOthers()
    if (!closing.signal.aborted) await bringIt()
  }

  /** Those that are neither lost nor late; the late ones are brought one by one. */
  function onTheirWay<Carried>(
    things: Carried[],
    loses: number,
    taskOf: (one: Carried) => Task,
    late: (one: Carried) => Promise<void>,
  ): Carried[] {
    return things.filter((one) => {
      if (chance.is(loses)) queue.lost.push(taskOf(one))
      else if (chance.is(delays)) void later(() => late(one))
      else return true
      return false
    })
  }

  async function bringBatch(outcomes: Outcome[]): Promise<void> {
    const inTime = [
      ...withTheNext,
      ...onTheirWay(
        outcomes,
        losesOutcomes,
        ({ task }) => task,
        (one) => bring([one]),
      ),
    ]
    const again = outcomes.filter(() => chance.is(doublesOutcomes))
    queue.doubledOutcomes += again.length
    const [beside = [], behind = [], last = []] = dealt(again, 3, chance)
    withTheNext = last
    if (inTime.length + beside.length > 0) await bring([...inTime, ...beside])
    if (behind.length > 0) await bring(behind)
  }

  const queue: UnreliableQueue = {
    lost: [],
    doubledTasks: 0,
    doubledOutcomes: 0,
    delayed: 0,
    serve: inner.serve,
    hurry: () => inner.hurry?.(),
    async send(tasks) {
      const again = tasks.filter(() => chance.is(doublesTasks))
      queue.doubledTasks += again.length
      const carried = shuffled([...tasks, ...again], chance).map(carry)
      await inner.send(
        onTheirWay(
          carried,
          losesTasks,
          (task) => task,
          (one) => inner.send([one]),
        ),
      )
    },
    collect(applier) {
      apply = applier
      inner.collect(bringBatch)
    },
    async close(signal) {
      closing.abort()
      await inner.close(signal)
      await applied
    },
  }
  return queue
}

/** As text, and back: at once, for a clock that is moved by hand waits for no other thread. Pages have bytes. */
function carry<Carried extends Task | Outcome>(what: Carried): Carried {
  return JSON.parse(JSON.stringify(what, bytesAsText), (_, value) => textAsBytes(value))
}

function bytesAsText(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return isBuffer(value) ? { base64: Buffer.from(value.data).toString('base64') } : value
}

function textAsBytes(value: unknown): unknown {
  const isText = typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string'
  return isText ? Buffer.from(value.base64 as string, 'base64') : value
}

/** What JSON.stringify makes of a Buffer before anybody is asked. */
function isBuffer(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value
}

function shuffled<T>(list: T[], chance: Chance): T[] {
  const order = list.map((one) => ({ one, place: chance.next() }))
  return order.sort((a, b) => a.place - b.place).map(({ one }) => one)
}

function dealt<T>(list: T[], hands: number, chance: Chance): T[][] {
  const given: T[][] = Array.from({ length: hands }, () => [])
  for (const one of list) chance.one(given).push(one)
  return given
}

/** The contract of every queue. Does not rely on order or on exactly-once delivery. */
import { afterEach, describe, expect, test } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { FeedId, Outcome, Task } from '../model/index.ts'
import type { ControllerQueue, FetcherQueue } from './queue.ts'

type Queue = ControllerQueue & FetcherQueue

export interface QueueOnTrialOptions {
  concurrency: number
  onInternalError: (error: unknown) => void
}

export function queueContract(name: string, open: (options: QueueOnTrialOptions) => Queue | Promise<Queue>): void {
  describe(`queue: ${name}`, () => {
    let mistakes: unknown[] = []
    const opened: Queue[] = []

    async function openQueue(concurrency = 4): Promise<Queue> {
      mistakes = []
      const queue = await open({ concurrency, onInternalError: (error) => mistakes.push(error) })
      opened.push(queue)
      return queue
    }

    afterEach(async () => {
      for (const queue of opened.splice(0)) await queue.close(AbortSignal.abort())
    })

    test('performs every task and applies every outcome unchanged', async () => {
      const queue = await openQueue()
      const performed: Task[] = []
      const applied: Outcome[] = []
      queue.collect(async (outcomes) => void applied.push(...outcomes))
      queue.serve(async (task) => {
        performed.push(task)
        await turns(2)
        return outcomeOf(task)
      })
      const tasks = manyTasks(100)
      await queue.send(tasks.slice(0, 50))
      await queue.send(tasks.slice(50))
      await until(() => distinct(applied).length === 100)
      expect(distinct(performed)).toEqual(distinct(tasks))
      expect(distinct(applied)).toEqual(distinct(tasks.map(outcomeOf)))
      expect(mistakes).toEqual([])
    })

    test('keeps tasks until a fetcher serves, and outcomes until a controller collects', async () => {
      const queue = await openQueue()
      await queue.send(manyTasks(3))
      const served = gate()
      queue.serve(async (task) => {
        served.open()
        return outcomeOf(task)
      })
      await served.passed
      const applied: Outcome[] = []
      queue.collect(async (outcomes) => void applied.push(...outcomes))
      await until(() => distinct(applied).length === 3)
      expect(distinct(applied)).toEqual(distinct(manyTasks(3).map(outcomeOf)))
    })

    test('performs tasks concurrently up to the limit', async () => {
      const queue = await openQueue(3)
      let now = 0
      let most = 0
      let applied = 0
      queue.collect(async (outcomes) => {
        applied += outcomes.length
      })
      queue.serve(async (task) => {
        now++
        most = Math.max(most, now)
        await turns(3)
        now--
        return outcomeOf(task)
      })
      await queue.send(manyTasks(20))
      await until(() => applied >= 20)
      expect(most).toBe(3)
    })

    test('applies one batch at a time, and accumulates the next meanwhile', async () => {
      const queue = await openQueue(2)
      const batches: number[] = []
      const tenPerformed = gate()
      let applying = 0
      let performed = 0
      queue.collect(async (outcomes) => {
        expect(++applying).toBe(1)
        batches.push(outcomes.length)
        if (batches.length === 1) await tenPerformed.passed
        applying--
      })
      queue.serve(async (task) => {
        if (++performed === 10) tenPerformed.open()
        return outcomeOf(task)
      })
      await queue.send(manyTasks(10))
      await until(() => applying === 0 && batches.reduce((sum, size) => sum + size, 0) >= 10)
      expect(batches.length).toBeLessThan(10)
      expect(batches.reduce((sum, size) => sum + size)).toBeGreaterThanOrEqual(10)
      expect(mistakes).toEqual([])
    })

    test('drops and reports the task of a performer that throws, and continues', async () => {
      const queue = await openQueue(1)
      const applied: Outcome[] = []
      queue.collect(async (outcomes) => void applied.push(...outcomes))
      queue.serve((task) => {
        if (numberOf(task) === 0) throw new Error('at once')
        if (numberOf(task) === 1) return Promise.reject(new Error('later'))
        return Promise.resolve(outcomeOf(task))
      })
      await queue.send(manyTasks(4))
      await until(() => distinct(applied).length === 2 && mistakes.length === 2)
      expect(distinct(applied)).toEqual(distinct(manyTasks(4).slice(2).map(outcomeOf)))
      expect(mistakes.map(String)).toEqual(['Error: at once', 'Error: later'])
    })

    test('redelivers and reports outcomes that could not be applied, and continues', async () => {
      const queue = await openQueue(1)
      const applied: Outcome[] = []
      let calls = 0
      queue.collect(async (outcomes) => {
        if (++calls === 1) throw new Error('no room left')
        applied.push(...outcomes)
      })
      queue.serve(async (task) => outcomeOf(task))
      await queue.send(manyTasks(1))
      await until(() => applied.length > 0)
      await queue.send(manyTasks(2).slice(1))
      await until(() => distinct(applied).length === 2)
      expect(distinct(applied)).toEqual(distinct(manyTasks(2).map(outcomeOf)))
      expect(mistakes.map(String)).toEqual(['Error: no room left'])
    })

    test('drops a batch that can never be applied, and delivers the next', async () => {
      const queue = await openQueue(1)
      const applied: Outcome[] = []
      queue.collect(async (outcomes) => {
        if (outcomes.some(({ task }) => numberOf(task) === 0)) throw new Error('not this one')
        applied.push(...outcomes)
      })
      queue.serve(async (task) => outcomeOf(task))
      await queue.send(manyTasks(1))
      await until(() => mistakes.length > 0)
      await turns(20)
      await queue.send(manyTasks(2).slice(1))
      await until(() => applied.length > 0)
      expect(applied.map(({ task }) => numberOf(task))).toEqual([1])
    })

    test('starts no task after close, and waits for tasks in flight', async () => {
      const queue = await openQueue(1)
      const started = gate()
      const mayEnd = gate()
      const performed: number[] = []
      const applied: Outcome[] = []
      queue.collect(async (outcomes) => {
        await turns(3)
        applied.push(...outcomes)
      })
      queue.serve(async (task) => {
        performed.push(numberOf(task))
        started.open()
        await mayEnd.passed
        return outcomeOf(task)
      })
      await queue.send(manyTasks(5))
      await started.passed
      let closed = 0
      const first = queue.close().then(() => closed++)
      const second = queue.close().then(() => closed++)
      await turns(10)
      expect(closed).toBe(0)
      mayEnd.open()
      await Promise.all([first, second])
      expect(performed).toHaveLength(1)
      expect(applied.map(({ task }) => numberOf(task))).toEqual(performed)
      await expect(queue.send(manyTasks(1))).rejects.toThrow(/closed/)
    })

    test('aborts performers when closing is aborted, and drops their outcomes', async () => {
      const queue = await openQueue(2)
      const bothBegun = gate()
      const aborted = gate()
      const mayAnswer = gate()
      const applied: Outcome[] = []
      let started = 0
      queue.collect(async (outcomes) => void applied.push(...outcomes))
      queue.serve(async (task, signal) => {
        if (++started === 2) bothBegun.open()
        signal.addEventListener('abort', aborted.open)
        await mayAnswer.passed
        if (numberOf(task) === 0) throw new Error('aborted')
        return outcomeOf(task)
      })
      await queue.send(manyTasks(2))
      await bothBegun.passed
      const hurry = new AbortController()
      const closed = queue.close(hurry.signal)
      hurry.abort()
      await aborted.passed
      await closed
      mayAnswer.open()
      await turns(10)
      expect(applied).toEqual([])
      expect(mistakes).toEqual([])
    })
  })
}

function manyTasks(count: number): Task[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'poll',
    feedId: index as FeedId,
    url: address(`http://feed${index}.example/`),
    validators: { etag: `W/"${index} é"` },
    subscribers: 1,
    gapMs: 0,
  }))
}

function numberOf(task: Task): number {
  return task.kind === 'poll' ? task.feedId : -1
}

function outcomeOf(task: Task): Outcome {
  return { task, at: 1, tookMs: 2, bytes: 3, result: { kind: 'not-modified', by: 'server', restMs: numberOf(task) } }
}

/** Sorted and without duplicates, because a queue may deliver twice. */
function distinct(things: unknown[]): string[] {
  return [...new Set(things.map((thing) => JSON.stringify(thing)))].sort()
}

function gate(): { open: () => void; passed: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: () => resolve(), passed: promise }
}

/** Limited by the timeout of the test. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

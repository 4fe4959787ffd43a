import { describe, expect, test } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { FeedId, Outcome, Task } from '../model/index.ts'
import { queueContract } from '../ports/queue.contract.ts'
import { createInProcessQueue } from './in-process.ts'

queueContract('in-process', (options) => createInProcessQueue({ ...options, retryMs: 1 }))

describe('in-process queue', () => {
  test('starts tasks in the order in which they were sent', async () => {
    const queue = createInProcessQueue({ concurrency: 2 })
    const started: Task[] = []
    queue.collect(async () => {})
    queue.serve(async (task) => {
      started.push(task)
      return outcomeOf(task)
    })
    await queue.send(tasksFrom(0, 10))
    await queue.send(tasksFrom(10, 10))
    await until(() => started.length === 20)
    expect(started).toEqual(tasksFrom(0, 20))
  })

  test('applies outcomes of one turn of the event loop together, at most 500', async () => {
    const queue = createInProcessQueue({ concurrency: 2000 })
    const batches: number[] = []
    queue.collect(async (outcomes) => void batches.push(outcomes.length))
    queue.serve(async (task) => outcomeOf(task))
    await queue.send(tasksFrom(0, 1200))
    await until(() => sum(batches) === 1200)
    expect(batches).toEqual([500, 500, 200])
  })

  test('applies outcomes that arrive during a batch in one batch', async () => {
    const queue = createInProcessQueue({ concurrency: 1 })
    const batches: number[] = []
    const firstBatch = Promise.withResolvers<void>()
    let performed = 0
    queue.collect(async (outcomes) => {
      batches.push(outcomes.length)
      if (batches.length === 1) await firstBatch.promise
    })
    queue.serve(async (task) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (++performed === 10) setImmediate(firstBatch.resolve)
      return outcomeOf(task)
    })
    await queue.send(tasksFrom(0, 10))
    await until(() => sum(batches) === 10)
    expect(batches).toHaveLength(2)
  })

  test('lets outcomes wait for others for a while, unless many are waiting, somebody waits for them or the queue closes', async () => {
    const queue = createInProcessQueue({ concurrency: 8, gatherMs: 1e9 })
    const batches: number[] = []
    const applied = Promise.withResolvers<void>()
    queue.collect(async (outcomes) => {
      batches.push(outcomes.length)
      applied.resolve()
    })
    queue.serve(async (task) => outcomeOf(task))
    await queue.send(tasksFrom(0, 1))
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(batches).toEqual([])
    await queue.send(tasksFrom(1, 1)) // a quarter of the slots
    await applied.promise
    expect(batches).toEqual([2])
    await queue.send(tasksFrom(2, 1))
    queue.flushOutcomes?.()
    await until(() => batches.length === 2)
    await queue.send(tasksFrom(3, 1))
    await queue.close()
    expect(batches).toEqual([2, 1, 1])
  })

  test('still applies finished outcomes when closing is cut short', async () => {
    const queue = createInProcessQueue({ concurrency: 1 })
    const applied: Outcome[] = []
    const performed = Promise.withResolvers<void>()
    queue.collect(async (outcomes) => {
      await new Promise((resolve) => setImmediate(resolve))
      applied.push(...outcomes)
    })
    queue.serve(async (task) => {
      queueMicrotask(performed.resolve)
      return outcomeOf(task)
    })
    await queue.send(tasksFrom(0, 1))
    await performed.promise
    await queue.close(AbortSignal.abort())
    expect(applied).toHaveLength(1)
  })

  test('a second call to close can cut the first one short', async () => {
    const queue = createInProcessQueue({ concurrency: 1 })
    queue.collect(async () => {})
    queue.serve(() => new Promise(() => {}))
    await queue.send(tasksFrom(0, 1))
    const firstClose = queue.close()
    await queue.close(AbortSignal.abort())
    await firstClose
  })
})

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Limited by the test timeout. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve))
}

function tasksFrom(first: number, count: number): Task[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'poll',
    feedId: (first + index) as FeedId,
    url: address('http://feed.example/'),
    validators: {},
    subscribers: 1,
    gapMs: 0,
  }))
}

function outcomeOf(task: Task): Outcome {
  return { task, at: 1, tookMs: 2, bytes: 3, result: { kind: 'not-modified', by: 'server', restMs: 0 } }
}

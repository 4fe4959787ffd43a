/**
 * The contract of queues between machines, in addition to queue.contract.ts: their ends are in several processes, any of which may vanish
 * at any time, and still no root may be visited by two fetchers at once.
 */
import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { Bucket, FeedId, LeaseToken, Outcome, PushedDocument, Task } from '../model/index.ts'
import type { ControllerQueue, FetcherQueue, StorePushedDocument } from './queue.ts'

export interface PlaceOnTrial {
  /** `byBucket`: one of several controllers, which owns buckets. */
  controller(how?: 'byBucket'): Promise<ControllerQueue & { storePush: StorePushedDocument; vanish(): Promise<void> }>
  fetcher(concurrency: number): Promise<FetcherQueue & { vanish(): Promise<void> }>
  /** What is still stored: messages, and bodies too large for one. */
  storedCounts(): Promise<{ messages: number; bodies: number }>
  /** After this long without a sign of life, messages are redelivered. */
  ackWaitMs: number
  close(): Promise<void>
}

export function queueBetweenContract(name: string, open: () => Promise<PlaceOnTrial>): void {
  describe(`queue between machines: ${name}`, () => {
    const places: PlaceOnTrial[] = []
    async function openPlace(): Promise<PlaceOnTrial> {
      const place = await open()
      places.push(place)
      return place
    }
    afterEach(async () => {
      for (const place of places.splice(0)) await place.close()
    })

    test('delivers tasks to any fetcher with a free slot', async () => {
      const place = await openPlace()
      const controller = await place.controller()
      const [busy, free] = [await place.fetcher(1), await place.fetcher(2)]
      const [began, mayEnd] = [gate(), gate()]
      const applied: Outcome[] = []
      controller.collect(async (outcomes) => void applied.push(...outcomes))
      busy.serve(async (task) => {
        began.open()
        await mayEnd.passed
        return outcomeOf(task)
      })
      await controller.send([taskOf(0)])
      await began.passed
      free.serve(async (task) => outcomeOf(task))
      await controller.send(manyTasks(10).slice(1))
      await until(() => numbers(applied).length === 9)
      mayEnd.open()
      await until(() => numbers(applied).length === 10)
    })

    test('delivers outcomes to the owner of their bucket, and keeps them while it has none', async () => {
      const place = await openPlace()
      const [one, two] = [await place.controller('byBucket'), await place.controller('byBucket')]
      const fetcher = await place.fetcher(4)
      fetcher.serve(async (task) => outcomeOf(task))
      const [ones, twos]: Outcome[][] = [[], []]
      one.collect(async (outcomes) => void ones!.push(...outcomes))
      two.collect(async (outcomes) => void twos!.push(...outcomes))
      await one.assignBuckets?.(new Set([1 as Bucket]))
      await two.assignBuckets?.(new Set([2 as Bucket]))
      await one.send([1, 2, 3, 1, 2, 3].map((bucket, n) => taskOf(n, { bucket: bucket as Bucket })))
      await until(() => numbers(ones!).length === 2 && numbers(twos!).length === 2)
      expect([numbers(ones!), numbers(twos!)]).toEqual([
        [0, 3],
        [1, 4],
      ])
      await two.assignBuckets?.(new Set([3 as Bucket]))
      await until(() => numbers(twos!).length === 4)
      expect(numbers(twos!)).toEqual([1, 2, 4, 5])
    })

    test('redelivers unacknowledged outcomes to the next owner if the owner vanishes', async () => {
      const place = await openPlace()
      const [one, two] = [await place.controller('byBucket'), await place.controller('byBucket')]
      const fetcher = await place.fetcher(4)
      fetcher.serve(async (task) => outcomeOf(task))
      const started = gate()
      one.collect(() => {
        started.open()
        return new Promise(() => {})
      })
      await one.assignBuckets?.(new Set([7 as Bucket]))
      await one.send([taskOf(0, { bucket: 7 as Bucket })])
      await started.passed
      await one.vanish()
      const applied: Outcome[] = []
      two.collect(async (outcomes) => void applied.push(...outcomes))
      await two.assignBuckets?.(new Set([7 as Bucket]))
      await until(() => applied.length > 0)
      expect(numbers(applied)).toEqual([0])
    })

    test('redelivers tasks of a vanished fetcher, except for roots with a long gap', async () => {
      const place = await openPlace()
      const controller = await place.controller()
      const applied: Outcome[] = []
      controller.collect(async (outcomes) => void applied.push(...outcomes))
      const lost = await place.fetcher(2)
      let started = 0
      lost.serve(() => {
        started++
        return new Promise(() => {})
      })
      await controller.send([taskOf(0), taskOf(1, { gapMs: 10 * place.ackWaitMs })])
      await until(() => started === 2)
      await lost.vanish()
      const other = await place.fetcher(2)
      const performed: Task[] = []
      other.serve(async (task) => {
        performed.push(task)
        return outcomeOf(task)
      })
      await until(() => applied.length > 0)
      await until(async () => (await place.storedCounts()).messages === 0)
      expect(performed.map(numberOf)).toEqual([0])
    })

    test('does not redeliver a long task while its fetcher is alive', async () => {
      const place = await openPlace()
      const controller = await place.controller()
      const applied: Outcome[] = []
      controller.collect(async (outcomes) => void applied.push(...outcomes))
      let performed = 0
      for (const _ of [1, 2])
        (await place.fetcher(1)).serve(async (task) => {
          performed++
          await new Promise((resolve) => setTimeout(resolve, 2.5 * place.ackWaitMs))
          return outcomeOf(task)
        })
      await controller.send([taskOf(0)])
      await until(() => applied.length > 0)
      expect([performed, applied.length]).toEqual([1, 1])
    })

    test('accepts a task and an outcome once per lease token', async () => {
      const place = await openPlace()
      const controller = await place.controller()
      const applied: Outcome[] = []
      const performed: Task[] = []
      controller.collect(async (outcomes) => void applied.push(...outcomes))
      const fetcher = await place.fetcher(1)
      fetcher.serve(async (task) => {
        performed.push(task)
        return outcomeOf(task)
      })
      await controller.send([taskOf(0), taskOf(0), taskOf(1)])
      await controller.send([taskOf(0), taskOf(2)])
      await until(() => numbers(applied).length === 3)
      expect([performed.length, applied.length]).toEqual([3, 3])
    })

    test('does not perform a task whose host slot has expired', async () => {
      const place = await openPlace()
      const controller = await place.controller()
      await controller.send([taskOf(0, { goodForMs: 1 }), taskOf(1, { goodForMs: 60_000 })])
      await new Promise((resolve) => setTimeout(resolve, 20))
      const fetcher = await place.fetcher(1)
      const performed: { number: number; wasLate: boolean | undefined; isLate: boolean | undefined }[] = []
      fetcher.serve(async (task, signal, isLate) => {
        const wasLate = isLate?.()
        if (numberOf(task) === 2) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        performed.push({ number: numberOf(task), wasLate, isLate: isLate?.() })
        return outcomeOf(task)
      })
      await controller.send([taskOf(2, { goodForMs: 300 })])
      await until(() => performed.length === 2)
      expect(performed).toEqual([
        { number: 1, wasLate: false, isLate: false },
        { number: 2, wasLate: false, isLate: true },
      ])
    })

    test('recalls tasks a dead controller had not sent, and then rejects them', async () => {
      const place = await openPlace()
      const [slow, next] = [await place.controller('byBucket'), await place.controller('byBucket')]
      const fetcher = await place.fetcher(4)
      const performed: number[] = []
      const [mayEnd, isOut] = [gate(), gate()]
      fetcher.serve(async (task) => {
        performed.push(numberOf(task))
        isOut.open()
        await mayEnd.passed
        return outcomeOf(task)
      })
      const at = Date.now()
      const [sent, unsent, old] = [0, 1, 2].map((n) =>
        taskOf(n, { bucket: 5 as Bucket, departedAt: n === 2 ? at - 9 * 60_000 : at, goodForMs: 540_000 }),
      )
      await slow.send([sent!])
      await isOut.passed
      const received: [number, string][] = []
      next.collect(async (outcomes) => {
        for (const { task, result } of outcomes) received.push([numberOf(task), result.kind])
      })
      await next.recall!([sent!, unsent!, old!])
      await next.assignBuckets?.(new Set([5 as Bucket]))
      await until(() => received.length === 1)
      await slow.send([unsent!]) // it wakes up
      mayEnd.open()
      await until(() => received.length === 2)
      await until(async () => (await place.storedCounts()).messages === 0)
      expect(performed).toEqual([0])
      expect(received).toEqual([
        [1, 'unsent'],
        [0, 'not-modified'],
      ])
    })

    test('carries bodies too large for a message, and deletes them afterwards', async () => {
      const place = await openPlace()
      const controller = await place.controller()
      const fetcher = await place.fetcher(1)
      const applied: Outcome[] = []
      controller.collect(async (outcomes) => void applied.push(...outcomes))
      const noise = randomBytes(1_500_000).toString('base64')
      fetcher.serve(async (task) => ({
        ...outcomeOf(task),
        result: { kind: 'failed', failure: { kind: 'not-a-feed', detail: noise } },
      }))
      const robots = { kind: 'rules', text: noise, fetchedAt: 0 } as never
      await controller.send([taskOf(0, { robots })])
      await until(() => applied.length > 0)
      expect(applied[0]!.result).toEqual({ kind: 'failed', failure: { kind: 'not-a-feed', detail: noise } })
      expect((applied[0]!.task as { robots?: unknown }).robots).toEqual(robots)
      await until(async () => {
        const { messages, bodies } = await place.storedCounts()
        return messages === 0 && bodies === 0
      })
    })

    test('keeps pushed documents until the owner of the bucket has processed them', async () => {
      const place = await openPlace()
      const server = await place.controller('byBucket')
      const document = { token: 'abc', bucket: 9 as Bucket, headers: { 'content-type': 'text/xml' } }
      await server.storePush({ ...document, body: Buffer.from('<rss/>') })
      await server.vanish()
      const owner = await place.controller('byBucket')
      const taken: PushedDocument[] = []
      let calls = 0
      owner.collect(
        async () => {},
        async (pushed) => {
          if (++calls === 1) throw new Error('not now')
          taken.push(pushed)
        },
      )
      await owner.assignBuckets?.(new Set([9 as Bucket]))
      await until(() => taken.length > 0)
      expect(taken.map(({ body, ...rest }) => [rest, Buffer.from(body).toString()])).toEqual([[document, '<rss/>']])
    })

    test('closes once pushed documents are processed', async () => {
      const place = await openPlace()
      const owner = await place.controller('byBucket')
      const [started, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      owner.collect(
        async () => {},
        async () => {
          started.resolve()
          await mayEnd.promise
        },
      )
      await owner.assignBuckets?.(new Set([9 as Bucket]))
      await owner.storePush({ token: 'abc', bucket: 9 as Bucket, headers: {}, body: Buffer.from('<rss/>') })
      await started.promise
      const grace = new AbortController()
      const closed = owner.close(grace.signal).then(() => 'closed')
      mayEnd.resolve()
      const late = new Promise((resolve) => setTimeout(resolve, 3000, 'it waits for its grace'))
      expect(await Promise.race([closed, late])).toBe('closed')
      grace.abort()
    })
  })
}

type PollTask = Extract<Task, { kind: 'poll' }>

export function taskOf(number: number, more: Partial<PollTask> = {}): PollTask {
  const url = address(`http://feed${number}.example/`)
  const lease = `lease-${number}` as LeaseToken
  return { kind: 'poll', feedId: number as FeedId, lease, url, validators: {}, subscribers: 1, gapMs: 0, ...more }
}

function manyTasks(count: number): Task[] {
  return Array.from({ length: count }, (_, number) => taskOf(number))
}

function numberOf(task: Task): number {
  return task.kind === 'poll' ? task.feedId : -1
}

function numbers(outcomes: Outcome[]): number[] {
  return [...new Set(outcomes.map(({ task }) => numberOf(task)))].sort((a, b) => a - b)
}

export function outcomeOf(task: Task): Outcome {
  return { task, at: 1, tookMs: 2, bytes: 3, result: { kind: 'not-modified', by: 'server', restMs: 0 } }
}

function gate(): { open: () => void; passed: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: () => resolve(), passed: promise }
}

/** Limited by the timeout of the test. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}

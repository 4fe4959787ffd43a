import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../src/clocks/index.ts'
import { address } from '../src/model/address.fixture.ts'
import { type FeedId, MINUTE, type Outcome, type Task } from '../src/model/index.ts'
import { createInProcessQueue } from '../src/queues/index.ts'
import { createUnreliableQueue, type Unreliability } from './unreliable-queue.ts'

const TASKS = Array.from({ length: 100 }, (_, n): Task => {
  const url = address(`https://f${n}.example/`)
  return { kind: 'poll', feedId: n as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 }
})

/** Counts performed tasks and returned outcomes, immediately and after a minute. */
async function deliver(unreliability: Unreliability) {
  const clock = createSteppedClock(0)
  const queue = createUnreliableQueue(createInProcessQueue({ concurrency: 100 }), clock, unreliability)
  const performed: number[] = []
  const applied: number[] = []
  const numberOf = (task: Task) => (task.kind === 'poll' ? task.feedId : -1)
  queue.serve(async (task): Promise<Outcome> => {
    performed.push(numberOf(task))
    return { task, at: 0, tookMs: 0, bytes: 0, result: { kind: 'not-modified', by: 'server', restMs: 0 } }
  })
  queue.collect(async (outcomes) => void applied.push(...outcomes.map(({ task }) => numberOf(task))))
  await queue.send(TASKS)
  await clock.advance(1)
  const atOnce = applied.length
  await clock.advance(MINUTE)
  await queue.close()
  return { queue, performed, applied, atOnce }
}

describe('the unreliable queue', () => {
  it('by default delivers everything once, reordered', async () => {
    const { performed, applied } = await deliver({ seed: 1 })
    const inOrder = TASKS.map((_, n) => n)
    for (const delivered of [performed, applied]) {
      expect(delivered).not.toEqual(inOrder)
      expect(delivered.toSorted((a, b) => a - b)).toEqual(inOrder)
    }
  })

  it('depends only on its seed', async () => {
    const rates = { taskLossRate: 0.1, taskDuplicationRate: 0.1, outcomeDuplicationRate: 0.5 }
    const { applied } = await deliver({ seed: 1, ...rates })
    expect((await deliver({ seed: 1, ...rates })).applied).toEqual(applied)
    expect((await deliver({ seed: 2, ...rates })).applied).not.toEqual(applied)
  })

  it('loses, duplicates and delays at the given rates, and reports it', async () => {
    const lossy = await deliver({ seed: 1, taskLossRate: 0.2, outcomeLossRate: 0.2 })
    expect(lossy.performed.length).toBeLessThan(95)
    expect(lossy.applied.length).toBeLessThan(lossy.performed.length)
    expect(lossy.queue.lost).toHaveLength(100 - lossy.applied.length)

    const twice = await deliver({ seed: 1, taskDuplicationRate: 1, outcomeDuplicationRate: 1 })
    expect(twice.performed).toHaveLength(200)
    expect(twice.queue).toMatchObject({ duplicatedTasks: 100, duplicatedOutcomes: 200 })
    expect(twice.applied.length).toBeGreaterThan(200) // the rest would come with the next batch

    const late = await deliver({ seed: 1, delayRate: 0.5, delayMs: MINUTE / 2, delayTurns: 2 })
    expect(late.atOnce).toBeLessThan(50)
    expect(late.queue.delayed).toBeGreaterThan(50)
    expect(late.applied).toHaveLength(100)
  })
})

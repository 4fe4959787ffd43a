import { expect, it } from 'vitest'
import { runInChunks } from './background-job.ts'

/** A clock that chunks advance by their duration. */
function world(chunkMs: number, isBusy: boolean) {
  let [now, slept, done] = [0, 0, 0]
  const clock = {
    now: () => now,
    async sleepUntil(at: number) {
      slept += Math.max(0, at - now)
      now = Math.max(now, at)
    },
  }
  const run = (chunks: number) =>
    runInChunks({ clock, isBusy: () => isBusy }, async () => {
      now += chunkMs
      return ++done < chunks
    })
  return { run, done: () => done, times: () => ({ worked: now - slept, slept }) }
}

it('runs chunks until nothing is left, without pauses while no polls wait', async () => {
  const { run, done, times } = world(10, false)
  await run(5)
  expect(done()).toBe(5)
  expect(times()).toEqual({ worked: 50, slept: 0 })
})

it('leaves half of the time to polls while they are under way', async () => {
  const { run, times } = world(10, true)
  await run(50)
  const { worked, slept } = times()
  expect(slept).toBe(worked)
})

it('pauses for a second at most, as when the machine slept during a chunk', async () => {
  const { run, times } = world(60 * 60_000, true)
  await run(1)
  expect(times().slept).toBe(1000)
})

it('yields to the event loop between two chunks', async () => {
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  await world(1, false).run(50)
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(49)
})

import { expect, it } from 'vitest'
import { createBites } from './bites.ts'

/** A clock that bites move: each entry takes so long. */
function world(msEach: number, isBusy = false, msAfterwards = 0) {
  let [now, slept] = [0, 0]
  const sizes: number[] = []
  const clock = {
    now: () => now,
    async sleepUntil(at: number) {
      slept += Math.max(0, at - now)
      now = Math.max(now, at)
    },
  }
  const afterwards = async () => {
    now += msAfterwards
  }
  const bites = createBites({ clock, isBusy: () => isBusy, first: 50, afterwards })
  const eat = (entries: number) =>
    bites(async (size) => {
      sizes.push(size)
      now += Math.min(size, entries) * msEach
      entries -= size
      return entries > 0
    })
  return { sizes, eat, times: () => ({ worked: now - slept, slept }) }
}

it('bites grow while they are quick, and shrink when they take long, to what fits into 8 ms', async () => {
  const quick = world(0.05)
  await quick.eat(5000)
  expect(Math.max(...quick.sizes)).toBeGreaterThan(90)
  expect(Math.max(...quick.sizes) * 0.05).toBeLessThanOrEqual(10)
  const slow = world(2)
  await slow.eat(500)
  expect(slow.sizes.at(-1)).toBeLessThanOrEqual(12)
})

it('what was learnt is remembered until the next time', async () => {
  const one = world(2)
  await one.eat(500)
  const { length } = one.sizes
  await one.eat(10)
  expect(one.sizes[length]).toBeLessThanOrEqual(12)
})

it('while others are at work, half of the time is theirs', async () => {
  const one = world(0.1, true)
  await one.eat(5000)
  const { worked, slept } = one.times()
  expect(slept).toBeCloseTo(worked, 6)
})

it('a machine that slept for an hour in the middle of a bite is not left alone for another', async () => {
  const one = world(60 * 60_000, true)
  await one.eat(1)
  expect(one.times().slept).toBe(1000)
})

it('others get a turn of the event loop between two bites', async () => {
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const { eat, sizes } = world(1)
  await eat(500)
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(sizes.length - 1)
})

it('what is done after each bite makes none smaller, and is part of the time that is shared', async () => {
  const one = world(0.1, true, 50)
  await one.eat(5000)
  expect(one.sizes.at(-2)).toBeGreaterThan(45)
  const { worked, slept } = one.times()
  expect(slept).toBeCloseTo(worked, 6)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLargeBodies } from './large-bodies.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const rest = () => vi.advanceTimersByTime(500)

test('admits as many as there are slots, and the others in order of arrival', () => {
  const bodies = createLargeBodies(2)
  const inside: string[] = []
  const leave = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, bodies.enter(() => inside.push(name))]))
  expect(inside).toEqual(['a', 'b'])
  leave.b!()
  expect(inside).toEqual(['a', 'b'])
  rest()
  expect(inside).toEqual(['a', 'b', 'c'])
  leave.b!() // twice is once
  rest()
  expect(inside).toEqual(['a', 'b', 'c'])
  leave.a!()
  rest()
  expect(inside).toEqual(['a', 'b', 'c', 'd'])
})

test('three are read at a time by default', () => {
  const bodies = createLargeBodies()
  const inside: number[] = []
  for (let n = 1; n < 9; n++) bodies.enter(() => inside.push(n))
  expect(inside).toEqual([1, 2, 3])
})

test('leaving the queue takes no slot', () => {
  const bodies = createLargeBodies(1)
  const inside: string[] = []
  const leaveA = bodies.enter(() => inside.push('a'))
  const leaveB = bodies.enter(() => inside.push('b'))
  bodies.enter(() => inside.push('c'))
  leaveB()
  leaveA()
  rest()
  expect(inside).toEqual(['a', 'c'])
})

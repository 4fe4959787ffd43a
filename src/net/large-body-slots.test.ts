import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLargeBodySlots } from './large-body-slots.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const rest = () => vi.advanceTimersByTime(500)

test('admits as many as there are slots, and the others in order of arrival', () => {
  const bodies = createLargeBodySlots(2)
  const inside: string[] = []
  const leave = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, bodies.acquire(() => inside.push(name))]))
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
  const bodies = createLargeBodySlots()
  const inside: number[] = []
  for (let n = 1; n < 9; n++) bodies.acquire(() => inside.push(n))
  expect(inside).toEqual([1, 2, 3])
})

test('leaving the queue takes no slot', () => {
  const bodies = createLargeBodySlots(1)
  const inside: string[] = []
  const leaveA = bodies.acquire(() => inside.push('a'))
  const leaveB = bodies.acquire(() => inside.push('b'))
  bodies.acquire(() => inside.push('c'))
  leaveB()
  leaveA()
  rest()
  expect(inside).toEqual(['a', 'c'])
})

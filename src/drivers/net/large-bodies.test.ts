import { expect, test } from 'vitest'
import { createLargeBodies } from './large-bodies.ts'

test('lets in as many as there are places, and the others in the order in which they came', () => {
  const bodies = createLargeBodies(2)
  const inside: string[] = []
  const leave = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, bodies.enter(() => inside.push(name))]))
  expect(inside).toEqual(['a', 'b'])
  leave.b!()
  expect(inside).toEqual(['a', 'b', 'c'])
  leave.b!() // twice is once
  expect(inside).toEqual(['a', 'b', 'c'])
  leave.a!()
  expect(inside).toEqual(['a', 'b', 'c', 'd'])
})

test('who waits no longer takes no place', () => {
  const bodies = createLargeBodies(1)
  const inside: string[] = []
  const leaveA = bodies.enter(() => inside.push('a'))
  const leaveB = bodies.enter(() => inside.push('b'))
  bodies.enter(() => inside.push('c'))
  leaveB()
  leaveA()
  expect(inside).toEqual(['a', 'c'])
})

import { expect, test } from 'vitest'
import { distance, signature, simhash } from './index.ts'

test('the same words have the same hash, in whatever order', () => {
  expect(simhash(['a', 'b', 'c'])).toBe(simhash(['c', 'a', 'b']))
})

test('a distance is between 0 and 64, the same both ways', () => {
  expect(distance(0n, 0xffffffffffffffffn)).toBe(64)
  expect(distance(5n, 5n)).toBe(0)
  expect(distance(1n << 63n, 1n)).toBe(distance(1n, 1n << 63n))
})

test('a small edit moves a text a little, another text is far away', () => {
  const text = {
    title: 'Council approves new tram line to the harbour',
    summary: 'After nine hours of debate the council approved the line.',
  }
  const edited = { ...text, summary: 'After ten hours of debate the council approved the line.' }
  const other = {
    title: 'Goose found in bakery',
    summary: 'Nobody knows how the bird came in, but it liked the rye bread best.',
  }
  const [a, b, c] = [text, edited, other].map((one) => signature(one).simhash) as [bigint, bigint, bigint]
  expect(distance(a, b)).toBeLessThan(12)
  expect(distance(a, c)).toBeGreaterThan(18)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeLabels } from './axis-labels.ts'

const middles = (labels: [string, number][], from = 0, to = 300) =>
  placeLabels(
    labels.map(([text, x]) => ({ text, x })),
    from,
    to,
  ).map(({ text, middle }) => [text, Math.round(middle)])

test.each<[string, [string, number][], [string, number][]]>([
  [
    'stay where they point to',
    [
      ['12:00', 100],
      ['now', 200],
    ],
    [
      ['12:00', 100],
      ['now', 200],
    ],
  ],
  [
    'stay in the drawing',
    [
      ['12:00', 0],
      ['now', 299],
    ],
    [
      ['12:00', 17],
      ['now', 290],
    ],
  ],
  [
    'are moved beside more important ones',
    [
      ['now', 100],
      ['12:00', 120],
    ],
    [
      ['now', 100],
      ['12:00', 135],
    ],
  ],
  [
    'are left out without room',
    [
      ['12:00', 100],
      ['now', 102],
    ],
    [['12:00', 100]],
  ],
])('labels %s', (_name, labels, placed) => expect(middles(labels)).toEqual(placed))

test('labels never overlap or leave the drawing', () => {
  const label = fc.record({
    text: fc.constantFrom('now', '12:00', 'Poll at 12:00', '0'),
    x: fc.integer({ min: -50, max: 400 }),
  })
  fc.assert(
    fc.property(fc.array(label, { maxLength: 5 }), fc.integer({ min: 20, max: 350 }), (labels, to) => {
      const placed = placeLabels(labels, 0, to)
      const ranges = placed.map(({ middle, text }) => [middle - text.length * 3.4, middle + text.length * 3.4] as const)
      for (const [i, [from, end]] of ranges.entries()) {
        expect(from).toBeGreaterThanOrEqual(-1e-6)
        expect(end).toBeLessThanOrEqual(to + 1e-6)
        for (const [otherFrom, otherEnd] of ranges.slice(i + 1)) expect(end < otherFrom || otherEnd < from).toBe(true)
      }
      if (labels[0] && labels[0].text.length * 6.8 <= to) expect(placed[0]?.text).toBe(labels[0].text)
    }),
  )
})

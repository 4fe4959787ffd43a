import { expect, it } from 'vitest'
import { enclosingFolders, valueOfNearestFolder } from './poll-terms.ts'

const values = new Map([
  ['News', 1],
  ['News / World / Asia', 2],
])

it.each([
  ['News', 1],
  ['News / World', 1],
  ['News / World / Asia', 2],
  ['News / World / Asia / East', 2],
  ['News / Worldly', 1],
  ['Newsletters', undefined],
  ['Old / News', undefined],
  ['', undefined],
  [undefined, undefined],
])('finds the value of the nearest folder for %j', (folder, expected) => {
  expect(valueOfNearestFolder(values, folder)).toBe(expected)
})

it('lists the enclosing folders, at any depth', () => {
  expect(enclosingFolders('A / B / C')).toEqual(['A / B / C', 'A / B', 'A'])
  expect(enclosingFolders('x / '.repeat(100_000)).length).toBeLessThan(100)
})

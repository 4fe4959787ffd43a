import { expect, it } from 'vitest'
import { foldersRound, ofNearestFolder } from './poll-terms.ts'

const said = new Map([
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
  expect(ofNearestFolder(said, folder)).toBe(expected)
})

it('lists the enclosing folders, at any depth', () => {
  expect(foldersRound('A / B / C')).toEqual(['A / B / C', 'A / B', 'A'])
  expect(foldersRound('x / '.repeat(100_000)).length).toBeLessThan(100)
})

/** Filters and orders of the table of feeds. */
import { describe, expect, test } from 'vitest'
import { type FeedRow, filterRows, sortRows } from './feed-rows.ts'

const row = (
  id: number,
  title: string,
  more: Partial<FeedRow> = {},
  details: Partial<FeedRow['details']> = {},
): FeedRow => ({
  id,
  feedId: id,
  title,
  url: `https://${id}.example/feed`,
  unread: 0,
  addedAt: '2026-01-01T00:00:00.000Z',
  state: 'active',
  readers: 1,
  ...more,
  details: { perWeek: 0, strategy: 'tide', failures: 0, editable: true, ...details },
})
const ids = (rows: FeedRow[]) => rows.map(({ id }) => id)

const ROWS = [
  row(1, 'Tides 10', { folder: 'Sea / North', unread: 4 }, { perWeek: 2, lastEntryAt: '2026-03-01T00:00:00.000Z' }),
  row(2, 'Tides 9', { failing: true }, { perWeek: 7, lastEntryAt: '2026-03-02T00:00:00.000Z' }),
  row(3, 'Bread', { state: 'paused', folder: 'Kitchen' }),
  row(4, 'Attic', {}, { silent: true, perWeek: 2 }),
]

describe('the table of feeds', () => {
  test('finds every word in title, address or folder', () => {
    expect(ids(filterRows(ROWS, { text: 'north TIDES', state: 'any' }))).toEqual([1])
    expect(ids(filterRows(ROWS, { text: '3.example', state: 'any' }))).toEqual([3])
  })

  test.each([
    ['any', [1, 2, 3, 4]],
    ['unread', [1]],
    ['failing', [2]],
    ['paused', [3]],
    ['silent', [4]],
  ] as const)('shows %s', (state, expected) => {
    expect(ids(filterRows(ROWS, { text: '', state }))).toEqual(expected)
  })

  test.each([
    ['title', false, [4, 3, 2, 1]],
    ['perWeek', true, [2, 4, 1, 3]],
    ['lastEntry', true, [2, 1, 4, 3]],
    ['lastEntry', false, [1, 2, 4, 3]],
    ['folder', false, [3, 1, 4, 2]],
    ['state', true, [2, 4, 3, 1]],
  ] as const)(
    'sorts by %s, numbers in titles by value, rows without a value last',
    (column, isDescending, expected) => {
      expect(ids(sortRows(ROWS, { column, isDescending }))).toEqual(expected)
    },
  )
})

import { describe, expect, it } from 'vitest'
import { DAY, type EntryDraft, HOUR, SECOND } from '../../model/index.ts'
import { estimateDates } from './estimate-dates.ts'
import type { Window } from './window.ts'

const AT = Date.UTC(2026, 2, 14, 12)

/** The estimates in document order: age and method. */
async function estimatesOf(kind: Window['kind'], ...drafts: Partial<EntryDraft>[]): Promise<[number, string][]> {
  const entries = drafts.map((draft, i) => ({ key: `${i}`, title: `T${i}`, ...draft }))
  const estimates = await estimateDates({ entries, kind, at: AT })
  return entries.flatMap((entry) => {
    const estimate = estimates.get(entry)
    return estimate ? [[AT - estimate.at, estimate.by] satisfies [number, string]] : []
  })
}

describe('an entry without a date in the first document', () => {
  it('is a day older than the entry before it', async () => {
    expect(await estimatesOf('first', {}, {}, {})).toEqual([
      [DAY, 'order'],
      [2 * DAY, 'order'],
      [3 * DAY, 'order'],
    ])
  })

  it('gets the day in its address', async () => {
    expect(
      await estimatesOf(
        'first',
        { url: 'https://a.example/2026/03/10/tide' },
        { url: 'https://a.example/post-20260212.html' },
        { url: 'https://a.example/2026/02/31/no-such-day' },
        { url: 'https://a.example/2027/01/01/ahead' },
      ),
    ).toEqual([
      [4.5 * DAY, 'address'],
      [30.5 * DAY, 'address'],
      [30.5 * DAY + SECOND, 'neighbours'],
      [30.5 * DAY + 2 * SECOND, 'neighbours'],
    ])
  })

  it('gets a date between its neighbours, evenly spaced', async () => {
    expect(
      await estimatesOf('first', {}, { publishedAt: AT - HOUR }, {}, {}, { updatedAt: AT - 4 * HOUR }, {}),
    ).toEqual([
      [HOUR - SECOND, 'neighbours'],
      [2 * HOUR, 'neighbours'],
      [3 * HOUR, 'neighbours'],
      [4 * HOUR + SECOND, 'neighbours'],
    ])
  })

  it('follows the order of a feed that starts with its oldest entry', async () => {
    expect(await estimatesOf('first', {}, { publishedAt: AT - 3 * HOUR }, { publishedAt: AT - HOUR }, {})).toEqual([
      [3 * HOUR + SECOND, 'neighbours'],
      [HOUR - SECOND, 'neighbours'],
    ])
  })

  it('does not exist if all entries have a date of publication or change', async () => {
    expect(await estimatesOf('first', { publishedAt: AT }, { updatedAt: AT - DAY })).toEqual([])
  })
})

it('dates entries of later documents to now in document order, unless their address has an earlier day', async () => {
  expect(
    await estimatesOf('latest', {}, { publishedAt: AT - HOUR }, {}, { url: 'https://a.example/2026/01/14/old' }),
  ).toEqual([
    [0, 'order'],
    [2, 'order'],
    [59.5 * DAY, 'address'],
  ])
})

import { describe, expect, it } from 'vitest'
import { DAY, type EntryDraft, HOUR, SECOND } from '../../model/index.ts'
import { estimatedDates } from './estimate-dates.ts'
import type { Window } from './window.ts'

const AT = Date.UTC(2026, 2, 14, 12)

/** The estimates of the undated, in the order of the document: how long ago, and by what. */
async function told(kind: Window['kind'], ...drafts: Partial<EntryDraft>[]): Promise<[number, string][]> {
  const entries = drafts.map((draft, i) => ({ key: `${i}`, title: `T${i}`, ...draft }))
  const estimates = await estimatedDates({ entries, kind, at: AT })
  return entries.flatMap((entry) => {
    const estimate = estimates.get(entry)
    return estimate ? [[AT - estimate.at, estimate.by] satisfies [number, string]] : []
  })
}

describe('when a feed is first read, what has no date', () => {
  it('stands behind what comes before it in the document, and never in front of what is new', async () => {
    expect(await told('first', {}, {}, {})).toEqual([
      [DAY, 'order'],
      [2 * DAY, 'order'],
      [3 * DAY, 'order'],
    ])
  })

  it('is dated by the day in its address', async () => {
    expect(
      await told(
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

  it('stands between its neighbours, evenly', async () => {
    expect(await told('first', {}, { publishedAt: AT - HOUR }, {}, {}, { updatedAt: AT - 4 * HOUR }, {})).toEqual([
      [HOUR - SECOND, 'neighbours'],
      [2 * HOUR, 'neighbours'],
      [3 * HOUR, 'neighbours'],
      [4 * HOUR + SECOND, 'neighbours'],
    ])
  })

  it('is placed the other way round where the feed begins with its oldest', async () => {
    expect(await told('first', {}, { publishedAt: AT - 3 * HOUR }, { publishedAt: AT - HOUR }, {})).toEqual([
      [3 * HOUR + SECOND, 'neighbours'],
      [HOUR - SECOND, 'neighbours'],
    ])
  })

  it('is nobody where all have a date, be it of a change', async () => {
    expect(await told('first', { publishedAt: AT }, { updatedAt: AT - DAY })).toEqual([])
  })
})

it('later on, what has no date has come since the last poll, in the order of the document, unless its address knows better', async () => {
  expect(await told('latest', {}, { publishedAt: AT - HOUR }, {}, { url: 'https://a.example/2026/01/14/old' })).toEqual(
    [
      [0, 'order'],
      [2, 'order'],
      [59.5 * DAY, 'address'],
    ],
  )
})

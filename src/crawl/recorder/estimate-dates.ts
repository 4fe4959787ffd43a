/**
 * Where entries stand in time that have no date. What a feed shows when it is first read is not new, and what it lists has an
 * order: so an undated entry is placed by the day in its address, else between the dated ones beside it, else behind the
 * entry before it in the document, a day for each. What is undated later on came since the last poll; only its address may know
 * better. `updated` is a date: it stands in for the date of publication.
 */
import { addressDay } from '../../articles/index.ts'
import { DAY, type DateEstimate, type EntryDraft, type Instant, SECOND } from '../../model/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import type { Window } from './window.ts'

/** An address that names a day before that is believed; a later one says no more than that we have only just seen it. */
const PAST_MS = 2 * DAY

/** The entries of a window that nothing dates, and what we make of them. */
export async function estimatedDates({ entries, kind, at }: Window): Promise<ReadonlyMap<EntryDraft, DateEstimate>> {
  const estimates = new Map<EntryDraft, DateEstimate>()
  const known = entries.map((entry) => dateOf(entry))
  if (known.every((date) => date !== undefined)) return estimates
  const days = await mapInSlices(entries, (entry) => dayOf(entry, at))
  if (kind === 'latest') {
    for (const [i, entry] of entries.entries()) {
      if (known[i] !== undefined) continue
      const day = days[i]
      estimates.set(
        entry,
        day !== undefined && day < at - PAST_MS ? { at: day, by: 'address' } : { at: at - i, by: 'order' },
      )
    }
    return estimates
  }
  const placed = between(
    known.map((date, i) => date ?? days[i]),
    at,
  )
  for (const [i, entry] of entries.entries()) {
    if (known[i] !== undefined) continue
    const day = days[i]
    estimates.set(
      entry,
      day !== undefined
        ? { at: day, by: 'address' }
        : placed
          ? { at: placed[i]!, by: 'neighbours' }
          : { at: at - (i + 1) * DAY, by: 'order' },
    )
  }
  return estimates
}

function dateOf({ publishedAt, updatedAt }: EntryDraft): Instant | undefined {
  return publishedAt ?? updatedAt
}

function dayOf({ url, publishedAt, updatedAt }: EntryDraft, at: Instant): Instant | undefined {
  const day = url === undefined || (publishedAt ?? updatedAt) !== undefined ? undefined : addressDay(url)
  return day !== undefined && day <= at ? day : undefined
}

/** Gaps filled, evenly between two dates, and by seconds beyond the first and the last. Undefined if there is no date at all. */
function between(dates: readonly (Instant | undefined)[], at: Instant): Instant[] | undefined {
  const places = dates.flatMap((date, i) => (date === undefined ? [] : [i]))
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const direction = dates[first]! < dates[last]! ? 1 : -1 // most feeds begin with their newest
  let next = 0
  return dates.map((date, i) => {
    while (next < places.length && places[next]! < i) next++
    if (date !== undefined) return date
    if (i < first) return Math.min(at, dates[first]! - direction * (first - i) * SECOND)
    if (i > last) return Math.min(at, dates[last]! + direction * (i - last) * SECOND)
    const [from, to] = [places[next - 1]!, places[next]!]
    return Math.round(dates[from]! + ((dates[to]! - dates[from]!) * (i - from)) / (to - from))
  })
}

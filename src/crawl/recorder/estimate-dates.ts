/**
 * Estimates dates of entries without one. The entries of a new feed are not new, but their order is known: the estimate is the day in the
 * entry's address, else a time between its dated neighbours, else one day per entry in document order. Entries without a date in later
 * documents arrived since the last poll, unless their address has an earlier day. `updated` counts as a date.
 */
import { addressDay } from '../../articles/index.ts'
import { DAY, type DateEstimate, type EntryDraft, type Instant, SECOND } from '../../model/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import type { Window } from './window.ts'

/** In later documents, only address days before this are used: more recent ones add nothing to the arrival time. */
const PAST_MS = 2 * DAY

/** The estimates for the entries of a window that have no date. */
export async function estimateDates({ entries, kind, at }: Window): Promise<ReadonlyMap<EntryDraft, DateEstimate>> {
  const estimates = new Map<EntryDraft, DateEstimate>()
  const dates = entries.map((entry) => dateOf(entry))
  if (dates.every((date) => date !== undefined)) return estimates
  const days = await mapInSlices(entries, (entry) => addressDayOf(entry, at))
  if (kind === 'latest') {
    for (const [i, entry] of entries.entries()) {
      if (dates[i] !== undefined) continue
      const day = days[i]
      estimates.set(
        entry,
        day !== undefined && day < at - PAST_MS ? { at: day, by: 'address' } : { at: at - i, by: 'order' },
      )
    }
    return estimates
  }
  const interpolated = interpolate(
    dates.map((date, i) => date ?? days[i]),
    at,
  )
  for (const [i, entry] of entries.entries()) {
    if (dates[i] !== undefined) continue
    const day = days[i]
    estimates.set(
      entry,
      day !== undefined
        ? { at: day, by: 'address' }
        : interpolated
          ? { at: interpolated[i]!, by: 'neighbours' }
          : { at: at - (i + 1) * DAY, by: 'order' },
    )
  }
  return estimates
}

function dateOf({ publishedAt, updatedAt }: EntryDraft): Instant | undefined {
  return publishedAt ?? updatedAt
}

function addressDayOf({ url, publishedAt, updatedAt }: EntryDraft, at: Instant): Instant | undefined {
  const day = url === undefined || (publishedAt ?? updatedAt) !== undefined ? undefined : addressDay(url)
  return day !== undefined && day <= at ? day : undefined
}

/** Interpolates missing dates evenly between two dates, and by seconds before the first and after the last. Undefined without any date. */
function interpolate(dates: readonly (Instant | undefined)[], at: Instant): Instant[] | undefined {
  const datedIndexes = dates.flatMap((date, i) => (date === undefined ? [] : [i]))
  const [first, last] = [datedIndexes[0], datedIndexes.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const direction = dates[first]! < dates[last]! ? 1 : -1 // most feeds start with the newest entry
  let next = 0
  return dates.map((date, i) => {
    while (next < datedIndexes.length && datedIndexes[next]! < i) next++
    if (date !== undefined) return date
    if (i < first) return Math.min(at, dates[first]! - direction * (first - i) * SECOND)
    if (i > last) return Math.min(at, dates[last]! + direction * (i - last) * SECOND)
    const [from, to] = [datedIndexes[next - 1]!, datedIndexes[next]!]
    return Math.round(dates[from]! + ((dates[to]! - dates[from]!) * (i - from)) / (to - from))
  })
}

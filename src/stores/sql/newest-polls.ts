/** Collects the newest polls from log lines in any order. A line may also hold polls outside the requested span. */
import type { Instant, Poll } from '../../model/index.ts'
import { type PollRow, pollsInLine } from './poll-rows.ts'

export interface PollSpan {
  since: Instant
  /** Newest date, inclusive. Of the polls at exactly this date, the newest `skip` are left out. */
  until: Instant
  skip: number
  limit: number
}

interface NewestPolls {
  add(row: PollRow): void
  /** Lines without a poll at or after this date need not be added. */
  oldest(): Instant
  /** Newest first; at equal dates, highest feed id first. */
  polls(): Poll[]
}

/** Polls collected beyond the capacity before sorting and trimming. */
const SORT_INTERVAL = 200

interface Found {
  poll: Poll
  /** Position in the log, and index within the line. */
  place: number
  nth: number
}

const newestFirst = (a: Found, b: Found) =>
  b.poll.at - a.poll.at || b.poll.feedId - a.poll.feedId || b.place - a.place || b.nth - a.nth

export function createNewestPolls({ since, until, skip, limit }: PollSpan): NewestPolls {
  const capacity = skip + limit
  let found: Found[] = []
  let oldest = since

  function trim(): void {
    found.sort(newestFirst)
    if (found.length < capacity) return
    found = found.slice(0, capacity)
    oldest = Math.max(oldest, found.at(-1)?.poll.at ?? until)
  }

  return {
    add(row) {
      if (row.at < oldest) return // no need to unpack it
      const position = row.place === 0 ? Number.POSITIVE_INFINITY : row.place
      pollsInLine(row).forEach((poll, nth) => {
        if (poll.at >= oldest && poll.at <= until) found.push({ poll, place: position, nth })
      })
      if (found.length >= capacity + SORT_INTERVAL) trim()
    },
    oldest() {
      if (found.length >= capacity) trim()
      return oldest
    },
    polls() {
      trim()
      let toSkip = skip
      return found
        .map(({ poll }) => poll)
        .filter(({ at }) => at < until || toSkip-- <= 0)
        .slice(0, limit)
    },
  }
}

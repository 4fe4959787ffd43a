/** The newest polls of all feeds, picked out of lines of the log that come in any order; a line may hold polls that are not asked for. */
import type { Instant, Poll } from '../../model/index.ts'
import { type PollRow, pollsInLine } from './poll-rows.ts'

export interface PollSpan {
  since: Instant
  /** Not later than this; and of those at this very moment not the newest `skip`. */
  until: Instant
  skip: number
  limit: number
}

interface NewestPolls {
  add(row: PollRow): void
  /** Lines that have nothing as new as this are not worth adding. */
  oldest(): Instant
  /** By date, newest first; of one moment those of the newest feed first. */
  polls(): Poll[]
}

/** So many more than needed are gathered before they are sorted. */
const SPARE = 200

interface Found {
  poll: Poll
  /** In the log, and within its line. */
  place: number
  nth: number
}

const newestFirst = (a: Found, b: Found) =>
  b.poll.at - a.poll.at || b.poll.feedId - a.poll.feedId || b.place - a.place || b.nth - a.nth

export function createNewestPolls({ since, until, skip, limit }: PollSpan): NewestPolls {
  const most = skip + limit
  let found: Found[] = []
  let oldest = since

  function cut(): void {
    found.sort(newestFirst)
    if (found.length < most) return
    found = found.slice(0, most)
    oldest = Math.max(oldest, found.at(-1)?.poll.at ?? until)
  }

  return {
    add(row) {
      if (row.at < oldest) return // and need not be unpacked
      const place = row.place === 0 ? Number.POSITIVE_INFINITY : row.place
      pollsInLine(row).forEach((poll, nth) => {
        if (poll.at >= oldest && poll.at <= until) found.push({ poll, place, nth })
      })
      if (found.length >= most + SPARE) cut()
    },
    oldest() {
      if (found.length >= most) cut()
      return oldest
    },
    polls() {
      cut()
      let hidden = skip
      return found
        .map(({ poll }) => poll)
        .filter(({ at }) => at < until || hidden-- <= 0)
        .slice(0, limit)
    },
  }
}

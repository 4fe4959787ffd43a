/**
 * Histories as the authors of Urbansky et al. (2011) published theirs, one CSV a feed:
 *
 *   ITEM_TIMESTAMP;POLL_TIMESTAMP;HASH;"TITLE";"LINK";WINDOWSIZE;
 *
 * Both dates are milliseconds since 1970, and an item without one has zeros; a line `MISS;;;;;;` stands where nothing of the
 * window was known, so that items may have been missed. What stands behind the window is the size of the document in bytes, which not
 * all of their sets have. Rows are in the order in which items were found.
 *
 * Titles may hold anything, line breaks included: what is no row by itself belongs to the one before it, and is passed over.
 */
import { type Instant, SECOND } from '../../model/index.ts'
import { AHEAD_MS, MAX_ITEMS, MOST_SHOWN, median, type ReadLine, USUAL_WINDOW } from './trace.ts'

/** An item as it is written. */
export interface TudcsItem {
  publishedAt?: Instant
  polledAt: Instant
  hash: string
  title?: string
  link?: string
  window: number
  bytes?: number
}

const NO_DATE = '0000000000000'
export const MISS_LINE = 'MISS;;;;;;'
const NO_TITLE = 'no title'
const NO_LINK = 'no link'

export function tudcsLine({ publishedAt, polledAt, hash, title, link, window, bytes }: TudcsItem): string {
  const date = publishedAt === undefined ? NO_DATE : String(publishedAt)
  return `${date};${polledAt};${hash};${quoted(title || NO_TITLE)};${quoted(link || NO_LINK)};${window};${bytes === undefined ? '' : `${bytes};`}`
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', "'").replace(/\s+/g, ' ')}"`
}

/** Takes the lines of one file, one after the other. */
export interface TudcsReader {
  take(line: string): void
  end(): ReadLine
}

/** `feed`: what it is called, for the file does not say. */
export function createTudcsReader(feed: string, now: Instant): TudcsReader {
  const published: Instant[] = []
  const windows: number[] = []
  const sizes: number[] = []
  let misses = 0
  let undated = 0
  let ahead = 0
  let tooMany = 0

  return {
    take(line) {
      if (line.startsWith('MISS;')) misses++
      const row = rowIn(line)
      if (!row) return
      const at = row.publishedAt ?? row.polledAt
      if (at === undefined) return
      if (row.publishedAt === undefined) undated++
      if (at > now + AHEAD_MS) ahead++
      else if (published.length >= MAX_ITEMS) tooMany++
      else published.push(Math.floor(at / SECOND) * SECOND)
      if (row.window) windows.push(row.window)
      if (row.bytes) sizes.push(row.bytes)
    },
    end() {
      if (published.length === 0) return { words: ['has no item'] }
      const window = median(windows)
      const bytes = median(sizes)
      const words = [
        ...(misses > 0 ? [`says ${misses} times that items may be missing`] : []),
        ...(undated > 0 ? [`${undated} items without a date; when they were found counts`] : []),
        ...(ahead > 0 ? [`${ahead} items in the future; left out`] : []),
        ...(tooMany > 0 ? [`${tooMany} items too many; left out`] : []),
        ...(window === undefined ? [`does not say how many entries it shows; taken for ${USUAL_WINDOW}`] : []),
      ]
      const trace = {
        feed,
        kind: 'other',
        source: 'tudcs',
        window: Math.min(MOST_SHOWN, window ?? USUAL_WINDOW),
        published: Float64Array.from(published).sort(),
        ...(bytes !== undefined && { bytes }),
      }
      return { trace, words }
    },
  }
}

/** An item counts from its own date, but never from after the poll that found it. */
function rowIn(
  line: string,
): { publishedAt?: Instant; polledAt?: Instant; window?: number; bytes?: number } | undefined {
  const begin = /^(\d{1,16});(?:(\d{10,16});)?/.exec(line)
  if (!begin) return undefined
  const polledAt = begin[2] === undefined ? undefined : Number(begin[2])
  const said = Number(begin[1])
  const [, window, bytes] = /"?;(\d{1,9});(?:(\d{1,12});)?\s*$/.exec(line) ?? []
  return {
    ...(said > 0 && { publishedAt: Math.min(said, polledAt ?? said) }),
    ...(polledAt !== undefined && { polledAt }),
    ...(window !== undefined && { window: Number(window) }),
    ...(bytes !== undefined && { bytes: Number(bytes) }),
  }
}

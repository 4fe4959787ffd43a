/**
 * Reads histories as published by the authors of Urbansky et al. (2011), one CSV per feed:
 *
 *   ITEM_TIMESTAMP;POLL_TIMESTAMP;HASH;"TITLE";"LINK";WINDOWSIZE;
 *
 * Both timestamps are milliseconds; an item without a date has zeros. A line `MISS;;;;;;` marks a window without known
 * items, so that items may have been missed. The optional value after the window size is the size of the document in
 * bytes. Rows are in the order in which items were found.
 *
 * Titles may contain anything, including line breaks: a line that is not a row belongs to the previous one and is
 * skipped.
 */
import { type Instant, SECOND } from '../../model/index.ts'
import { MAX_AHEAD_MS, MAX_ITEMS, MAX_WINDOW, median, type ReadLine, USUAL_WINDOW } from './trace.ts'

/** An item to write. */
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

/** Reads the lines of one file in order. */
export interface TudcsReader {
  addLine(line: string): void
  end(): ReadLine
}

/** `feed`: its name, which the file does not contain. */
export function createTudcsReader(feed: string, now: Instant): TudcsReader {
  const published: Instant[] = []
  const windows: number[] = []
  const sizes: number[] = []
  let misses = 0
  let undated = 0
  let ahead = 0
  let tooMany = 0

  return {
    addLine(line) {
      if (line.startsWith('MISS;')) misses++
      const row = rowIn(line)
      if (!row) return
      const at = row.publishedAt ?? row.polledAt
      if (at === undefined) return
      if (row.publishedAt === undefined) undated++
      if (at > now + MAX_AHEAD_MS) ahead++
      else if (published.length >= MAX_ITEMS) tooMany++
      else published.push(Math.floor(at / SECOND) * SECOND)
      if (row.window) windows.push(row.window)
      if (row.bytes) sizes.push(row.bytes)
    },
    end() {
      if (published.length === 0) return { messages: ['has no item'] }
      const window = median(windows)
      const bytes = median(sizes)
      const messages = [
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
        window: Math.min(MAX_WINDOW, window ?? USUAL_WINDOW),
        published: Float64Array.from(published).sort(),
        ...(bytes !== undefined && { bytes }),
      }
      return { trace, messages }
    },
  }
}

/** An item counts from its own date, but at the latest from the poll that found it. */
function rowIn(
  line: string,
): { publishedAt?: Instant; polledAt?: Instant; window?: number; bytes?: number } | undefined {
  const begin = /^(\d{1,16});(?:(\d{10,16});)?/.exec(line)
  if (!begin) return undefined
  const polledAt = begin[2] === undefined ? undefined : Number(begin[2])
  const windowSize = Number(begin[1])
  const [, window, bytes] = /"?;(\d{1,9});(?:(\d{1,12});)?\s*$/.exec(line) ?? []
  return {
    ...(windowSize > 0 && { publishedAt: Math.min(windowSize, polledAt ?? windowSize) }),
    ...(polledAt !== undefined && { polledAt }),
    ...(window !== undefined && { window: Number(window) }),
    ...(bytes !== undefined && { bytes: Number(bytes) }),
  }
}

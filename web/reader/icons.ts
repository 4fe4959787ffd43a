/**
 * Loads icons of feeds one at a time, and only for rows that stay visible for a moment. A browser has six connections per server, and slow
 * icons of rows that scroll past must not delay entries. Results, including missing icons, are cached while the page is open.
 */
const MOST_AT_ONCE = 2
const PAUSE_MS = 250

const known = new Map<number, boolean>()
/** Waiting requests, newest first: those are visible now. */
const waiting = new Map<number, Set<(isThere: boolean) => void>>()
let underWay = 0
let timer: ReturnType<typeof setTimeout> | undefined

export const iconPath = (feedId: number): string => `/api/v1/feeds/${feedId}/icon`

/** Undefined if it was never requested. */
export const isIconThere = (feedId: number): boolean | undefined => known.get(feedId)

/** Requests an icon later. The returned function cancels the request. */
export function wantIcon(feedId: number, tell: (isThere: boolean) => void): () => void {
  const tellers = waiting.get(feedId) ?? new Set()
  tellers.add(tell)
  waiting.set(feedId, tellers)
  if (timer === undefined) timer = setTimeout(begin, PAUSE_MS)
  return () => {
    tellers.delete(tell)
    if (tellers.size === 0 && waiting.get(feedId) === tellers) waiting.delete(feedId)
  }
}

function begin(): void {
  timer = undefined
  for (const feedId of [...waiting.keys()].reverse().slice(0, MOST_AT_ONCE - underWay)) load(feedId)
}

function load(feedId: number): void {
  const tellers = waiting.get(feedId)
  waiting.delete(feedId)
  underWay++
  const image = new Image()
  const done = (isThere: boolean) => {
    known.set(feedId, isThere)
    underWay--
    for (const tell of tellers ?? []) tell(isThere)
    begin()
  }
  image.onload = () => done(true)
  image.onerror = () => done(false)
  image.src = iconPath(feedId)
}

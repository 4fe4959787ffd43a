/**
 * Loads small images, icons of feeds and thumbnails, a few at a time, and only those that stay visible for a moment. A browser has six
 * connections per server, and slow images of rows that scroll past must not delay entries. Results, including missing images, are cached
 * while the page is open.
 */
const MOST_AT_ONCE = 3
const PAUSE_MS = 150
/** A server that is busy for a moment answers with an error, too: missing images are requested once more. */
const RETRY_MS = 6000
const MOST_KNOWN = 5000

const known = new Map<string, boolean>()
/** Waiting requests, newest first: those are visible now. */
const waiting = new Map<string, Set<(isThere: boolean) => void>>()
const failedOnce = new Set<string>()
let underWay = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Undefined if it was never requested. */
export const isImageThere = (src: string): boolean | undefined => known.get(src)

/** Requests an image later. The returned function cancels the request. */
export function wantImage(src: string, tell: (isThere: boolean) => void): () => void {
  const tellers = waiting.get(src) ?? new Set()
  tellers.add(tell)
  waiting.set(src, tellers)
  schedule()
  return () => {
    tellers.delete(tell)
    if (tellers.size === 0 && waiting.get(src) === tellers) waiting.delete(src)
  }
}

function schedule(): void {
  if (timer === undefined) timer = setTimeout(begin, PAUSE_MS)
}

function begin(): void {
  timer = undefined
  for (const src of [...waiting.keys()].reverse().slice(0, MOST_AT_ONCE - underWay)) load(src)
}

function load(src: string): void {
  const tellers = waiting.get(src)
  waiting.delete(src)
  underWay++
  const image = new Image()
  const done = (isThere: boolean) => {
    remember(src, isThere)
    underWay--
    for (const tell of tellers ?? []) tell(isThere)
    begin()
  }
  image.onload = () => done(true)
  image.onerror = () => done(false)
  image.src = src
}

function remember(src: string, isThere: boolean): void {
  known.set(src, isThere)
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break
    known.delete(oldest)
    failedOnce.delete(oldest)
  }
  if (isThere || failedOnce.has(src)) return
  failedOnce.add(src)
  setTimeout(() => known.get(src) === false && known.delete(src), RETRY_MS)
}

/**
 * Icons of feeds, asked for one after the other and only of what stays in view for a moment: a browser has six connections to a
 * server, and icons that are slow to come, one for each row of a list that flies past, must not keep its entries waiting. What was
 * found, or not, is known while the page is open.
 */
const MOST_AT_ONCE = 2
const PAUSE_MS = 250

const known = new Map<number, boolean>()
/** Who waits for which, the latest asked first: that is what is looked at. */
const waiting = new Map<number, Set<(isThere: boolean) => void>>()
let underWay = 0
let timer: ReturnType<typeof setTimeout> | undefined

export const iconPath = (feedId: number): string => `/api/v1/feeds/${feedId}/icon`

/** Undefined until somebody has looked. */
export const isIconThere = (feedId: number): boolean | undefined => known.get(feedId)

/** Calls once, later; until the answer is called, which says that nobody wants to know any more. */
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

/**
 * Tells the server what the user does with entries, for the "For you" ranking: several together, some seconds later, and never twice while
 * the page is open. What could not be sent is dropped: it is evidence for a ranking, not the user's data.
 */
import { api } from '../shell/api.ts'
import { session } from '../shell/session.svelte.ts'

type Interaction = 'opened' | 'finished' | 'skipped' | 'dismissed' | 'cleared'

const GATHER_MS = 4000
/** The server accepts twice as many of each kind. */
const MOST_SENT = 100
/** Entries above an opened one that count as skipped. */
const MOST_SKIPPED = 10

const waiting = new Map<Interaction, Set<number>>()
const sent = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
let sending = Promise.resolve()

export function reportInteraction(what: Interaction, ids: readonly number[]): void {
  if (!session.canWrite) return // the server would refuse it
  for (const id of ids.slice(0, MOST_SENT)) {
    if (sent.has(`${what} ${id}`)) continue
    const gathered = waiting.get(what) ?? new Set()
    waiting.set(what, gathered.add(id))
  }
  if (waiting.size > 0) timer ??= setTimeout(() => void sendInteractions(), GATHER_MS)
}

/** Entries that were on the screen above an opened one, nearest first, are skipped if they are unread. */
export function reportSkipped(above: readonly { id: number }[]): void {
  reportInteraction(
    'skipped',
    above.slice(-MOST_SKIPPED).map(({ id }) => id),
  )
}

/** Sends what was gathered at once, and waits for what is being sent, before a list is requested that depends on it. */
export function sendInteractions(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  if (waiting.size === 0) return sending
  const report = Object.fromEntries([...waiting].map(([what, ids]) => [what, [...ids].slice(0, MOST_SENT)]))
  for (const [what, ids] of waiting) for (const id of ids) sent.add(`${what} ${id}`)
  waiting.clear()
  sending = api.reportInteractions({ body: report }).then(
    () => {},
    () => {},
  )
  return sending
}

addEventListener('visibilitychange', () => {
  if (document.hidden) void sendInteractions()
})

/** A glance: whoever leaves earlier has skipped the entry. */
const OPENED_S = 2
const WORDS_A_SECOND = 220 / 60
const SHORTEST_S = 5
/** Shares of the time that reading takes: with its end on the screen, and in any case. */
const SHARE_TO_END = 0.25
const SHARE_IN_ANY_CASE = 0.6

/** Reports that an entry is opened, and once it is read to its end. Returns a function that stops. */
export function watchReading(
  id: number,
  { pane, wordCount }: { pane: HTMLElement; wordCount: () => number },
): () => void {
  let seconds = 0
  let isFinished = false
  const ticks = setInterval(() => {
    if (document.hidden || isFinished) return
    seconds++
    if (seconds === OPENED_S) reportInteraction('opened', [id])
    const readingTime = wordCount() / WORDS_A_SECOND
    const share = endIsShown(pane) ? SHARE_TO_END : SHARE_IN_ANY_CASE
    if (seconds < Math.max(SHORTEST_S, share * readingTime)) return
    isFinished = true
    reportInteraction('finished', [id])
  }, 1000)
  return () => {
    clearInterval(ticks)
    if (seconds < OPENED_S && !document.hidden) reportInteraction('skipped', [id])
  }
}

/** What follows the text takes up to half of the screen. */
function endIsShown({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + 1.5 * clientHeight >= scrollHeight
}

/**
 * When a permanent redirect is believed. Servers say 301 by mistake, for an evening, or from behind the login page of a
 * hotel; whoever stores the new address at once has lost the feed. So a move is believed when every hop was permanent, a
 * feed was found at its end, and the same end was seen in poll after poll for at least a day. Anything else in between
 * forgets it all. A temporary redirect is followed and never stored.
 *
 * A domain that was given up is bought by strangers, who redirect its feed to theirs. A move to another site where no entry is
 * known is therefore held, until a known entry appears there or a person says that the feed has moved.
 */
import { type Arrival, DAY, type Instant, type Millis, type WebAddress, withoutFragment } from '../model/index.ts'

/** Plain JSON. */
export interface RedirectMemory {
  /** Where the permanent redirects lead. */
  to: WebAddress
  /** How many polls in a row have said so. */
  times: number
  sinceAt: Instant
  /** It leads to another site, where nothing was known. */
  held?: true
}

export interface FeedArrival extends Arrival {
  /** A feed was read there; 304 says so too, for it speaks of the feed that we have. */
  isFeed: boolean
  /** What was read there: nothing known on another site, something known or on the same site, or no window. */
  window?: 'strange' | 'known'
}

const BELIEVED_AFTER_TIMES = 3 // ours
const BELIEVED_AFTER_MS: Millis = DAY // ours: longer than an evening's maintenance

/**
 * What is to be remembered after a poll that was answered (one that was not says nothing and is not shown here), and the
 * address that the feed shall have from now on. Without `memory`, nothing is.
 */
export function movedAfter(
  memory: RedirectMemory | undefined,
  { redirects, finalUrl, isFeed, window }: FeedArrival,
  at: Instant,
): { memory?: RedirectMemory; moveTo?: WebAddress } {
  const isPermanent = redirects.length > 0 && redirects.every(({ status }) => status === 301 || status === 308)
  if (!isPermanent || !isFeed) return {}

  const to = withoutFragment(finalUrl)
  const again = memory?.to === to ? memory : { to, times: 0, sinceAt: at }
  const times = again.times + 1
  const isHeld = window === 'strange' || (window === undefined && again.held === true)
  const { held: _, ...rest } = again
  if (isHeld) return { memory: { ...rest, times, held: true } }
  if (times >= BELIEVED_AFTER_TIMES && at - again.sinceAt >= BELIEVED_AFTER_MS) return { moveTo: to }
  return { memory: { ...rest, times } }
}

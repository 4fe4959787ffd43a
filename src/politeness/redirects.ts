/**
 * When a permanent redirect changes a feed's address. Servers send 301 by mistake, for an evening, or from a captive portal; storing the
 * new address at once would lose the feed. So every hop must be permanent, a feed must be found at the target, and the same target
 * must be seen in consecutive polls for at least a day. Anything else in between resets that. Temporary redirects are followed and
 * never stored.
 *
 * Expired domains are bought by strangers, who redirect the feed to theirs. A move to another site without any known entry is
 * therefore held until a known entry appears there or a user confirms the move.
 */
import { DAY, type Instant, type Millis, type RedirectChain, type WebAddress, withoutFragment } from '../model/index.ts'

/** Plain JSON. */
export interface RedirectState {
  /** Target of the permanent redirects. */
  to: WebAddress
  /** Consecutive polls with this target. */
  times: number
  sinceAt: Instant
  /** The target is another site without known entries. */
  held?: true
}

export interface FeedArrival extends RedirectChain {
  /** A feed was read there, or the server answered 304. */
  isFeed: boolean
  /** strange: another site, no known entry. known: a known entry, or the same site. Absent: no window was read. */
  window?: 'strange' | 'known'
}

const ACCEPTED_AFTER_POLLS = 3 // ours
const ACCEPTED_AFTER_MS: Millis = DAY // ours: longer than an evening's maintenance

/**
 * The state to remember after an answered poll (do not call for others), and the feed's new address, if any. Without `memory` in the
 * result, the state is reset.
 */
export function redirectStateAfter(
  memory: RedirectState | undefined,
  { redirects, finalUrl, isFeed, window }: FeedArrival,
  at: Instant,
): { memory?: RedirectState; moveTo?: WebAddress } {
  const isPermanent = redirects.length > 0 && redirects.every(({ status }) => status === 301 || status === 308)
  if (!isPermanent || !isFeed) return {}

  const to = withoutFragment(finalUrl)
  const current = memory?.to === to ? memory : { to, times: 0, sinceAt: at }
  const times = current.times + 1
  const isOnHold = window === 'strange' || (window === undefined && current.held === true)
  const { held: _, ...withoutHold } = current
  if (isOnHold) return { memory: { ...withoutHold, times, held: true } }
  if (times >= ACCEPTED_AFTER_POLLS && at - current.sinceAt >= ACCEPTED_AFTER_MS) return { moveTo: to }
  return { memory: { ...withoutHold, times } }
}

/**
 * Host queues: one request at a time per root, with a gap between two. Some requests need several slots at once: of
 * redirect targets, and of a tenant and its platform. A request that has to wait gets the time of its next attempt and
 * keeps its place, so that a thousand feeds of one domain queue up in order instead of retrying every second.
 *
 * First come, first served. A request keeps the ticket of its first attempt until it gets the slot; its turn is as
 * many gaps away as there are tickets before it. If the slot is not free at its turn, because a request took long or
 * the root was paused, it gets a new turn with the same ticket. After its request, it queues up at the end again.
 *
 * Only current state is kept, in memory: a restart begins with empty queues. Long-lived state of a root is in the
 * store and is passed in by `pause` and `setGapState`.
 */
import { type Host, type Instant, MINUTE, type Millis } from '../model/index.ts'
import { type RootGapState, rootGapMs } from './adaptive-gap.ts'

export interface HostQueue {
  /**
   * Takes the slots of all these roots for `requester` until `release`, or none of them; otherwise returns when to try
   * again.
   */
  acquire(roots: readonly string[], requester: string, now: Instant): Admission
  /**
   * For low priority requests: succeeds only if the queue is empty, and does not queue; otherwise returns when to try
   * again.
   */
  acquireIfIdle(roots: readonly string[], now: Instant): Admission
  release(root: string, now: Instant): void
  /** Marks the slots as taken since then, for requests that were sent without asking. */
  markTaken(roots: readonly string[], sinceAt: Instant): void
  /** Drops the state of roots that another controller owns now. */
  forget(isTheirs: (root: string) => boolean): void
  /** Blocks the host's root until its `notBeforeAt`. */
  pause(host: Host): void
  /** Sets the known gap requirements of a root, replacing earlier ones. */
  setGapState(root: string, gapState: RootGapState): void
  /** The root's current gap, for tasks with several requests. */
  gapMs(root: string, now: Instant): Millis
  /** When a root without a queue is free. */
  freeAt(root: string, now: Instant): Instant
}

export type Admission = { kind: 'go' } | { kind: 'wait'; until: Instant }

export interface HostQueueOptions {
  gapMs: Millis
  /** Roots without gaps and queues, such as our own machines. Requested pauses still apply. */
  isExempt?: (root: string) => boolean
  /** In [0, 1): spaces turns up to a quarter of a gap further apart, as jitter. */
  random?: () => number
}

interface Slot {
  active: number
  takenAt: Instant
  /** When the slot was last taken or released. */
  lastAt: Instant
  waitUntil: Instant
  /** Turns assigned and not taken yet, in ticket order. */
  turns: Map<string, { at: Instant; ticket: number }>
  nextTicket: number
  /** The latest assigned turn. */
  lastTurnAt: Instant
  /** Duration of requests; a moving average. */
  durationMs: Millis
}

const FORGET_SLOTS_OVER = 10_000
const TURN_EXPIRES_AFTER_MS = 5 * MINUTE // the feed was removed or paused meanwhile
const DURATION_WEIGHT = 1 / 4 // weight of the latest request in the average
const MIN_TURN_MS = 20 // ours: minimum wait before asking again, even without a gap
const MAX_DURATION_MS = MINUTE // longer ones were delayed by us, or lost

export function createHostQueue({ gapMs, isExempt = () => false, random = () => 0 }: HostQueueOptions): HostQueue {
  const slots = new Map<string, Slot>()
  const gapStates = new Map<string, RootGapState>()
  let forgetOver = FORGET_SLOTS_OVER

  function slotOf(root: string): Slot {
    let slot = slots.get(root)
    if (!slot) {
      slot = {
        active: 0,
        takenAt: 0,
        lastAt: Number.NEGATIVE_INFINITY,
        waitUntil: 0,
        turns: new Map(),
        nextTicket: 0,
        lastTurnAt: 0,
        durationMs: 0,
      }
      slots.set(root, slot)
    }
    return slot
  }

  function gapOf(root: string, now: Instant): Millis {
    return isExempt(root) ? 0 : rootGapMs(gapMs, gapStates.get(root) ?? {}, now)
  }

  function slotFreeAt(root: string, slot: Slot, now: Instant): Instant {
    return Math.max(now, slot.lastAt + gapOf(root, now), slot.waitUntil)
  }

  /** Without a ticket it is new, and never gets a turn before one that is already assigned. */
  function assignTurn(root: string, slot: Slot, ticket: number | undefined, now: Instant): Instant {
    if (isExempt(root)) return Math.max(now + 1, slot.waitUntil)
    const gap = gapOf(root, now)
    const requestMs = Math.ceil(slot.durationMs)
    const perTurn = Math.max(MIN_TURN_MS, gap + requestMs)
    const endsAt = Math.max(now, slot.takenAt + requestMs)
    const leavesAt = Math.max(endsAt + gap, now + MIN_TURN_MS) // a request in progress takes a moment longer
    const firstAt = slot.active > 0 ? Math.max(leavesAt, slot.waitUntil) : slotFreeAt(root, slot, now)
    const turnsAhead = ticket === undefined ? slot.turns.size : ticketsBefore(ticket, slot)
    const inOrderAt = firstAt + turnsAhead * perTurn
    const afterLastAt = ticket === undefined && turnsAhead > 0 ? slot.lastTurnAt + perTurn : 0
    return Math.max(now + 1, Math.ceil(Math.max(inOrderAt, afterLastAt) + (gap / 4) * random()))
  }

  function forgetIdle(now: Instant): void {
    if (slots.size <= forgetOver) return
    for (const [root, slot] of slots)
      if (slot.active === 0 && slot.turns.size === 0 && slotFreeAt(root, slot, now) <= now) slots.delete(root)
    forgetOver = Math.max(FORGET_SLOTS_OVER, 2 * slots.size) // otherwise many paused roots would be scanned on every call
  }

  function isFreeFor(root: string, requester: string | undefined, now: Instant): boolean {
    const slot = slotOf(root)
    dropMissedTurns(slot, now)
    const turn = requester === undefined ? undefined : slot.turns.get(requester)
    const isFree = (slot.active === 0 || isExempt(root)) && slotFreeAt(root, slot, now) <= now
    return isFree && (turn ? turn.at <= now : slot.turns.size === 0 || isExempt(root))
  }

  function turnAt(root: string, requester: string, now: Instant): Instant {
    const slot = slotOf(root)
    const turn = slot.turns.get(requester)
    if (turn && turn.at > now) return turn.at
    const at = assignTurn(root, slot, turn?.ticket, now)
    slot.turns.set(requester, { at, ticket: turn?.ticket ?? slot.nextTicket++ })
    slot.lastTurnAt = Math.max(at, slot.turns.size > 1 ? slot.lastTurnAt : 0)
    return at
  }

  function takeSlots(roots: readonly string[], requester: string | undefined, now: Instant): Admission {
    for (const root of roots) {
      const slot = slotOf(root)
      if (requester !== undefined) slot.turns.delete(requester)
      slot.active++
      slot.takenAt = now
      slot.lastAt = now
    }
    return { kind: 'go' }
  }

  return {
    acquire(roots, requester, now) {
      forgetIdle(now)
      const busy = roots.filter((root) => !isFreeFor(root, requester, now))
      if (busy.length === 0) return takeSlots(roots, requester, now)
      // Slots that are free are not reserved; it keeps its ticket there.
      return { kind: 'wait', until: Math.max(...busy.map((root) => turnAt(root, requester, now))) }
    },
    acquireIfIdle(roots, now) {
      forgetIdle(now)
      const busy = roots.filter((root) => !isFreeFor(root, undefined, now))
      if (busy.length === 0) return takeSlots(roots, undefined, now)
      return { kind: 'wait', until: Math.max(...busy.map((root) => assignTurn(root, slotOf(root), undefined, now))) }
    },
    release(root, now) {
      const slot = slotOf(root)
      if (slot.active > 0) {
        const tookMs = Math.min(MAX_DURATION_MS, Math.max(0, now - slot.takenAt))
        slot.durationMs += (tookMs - slot.durationMs) * DURATION_WEIGHT
        slot.active--
      }
      slot.lastAt = Math.max(slot.lastAt, now)
    },
    markTaken(roots, sinceAt) {
      takeSlots(roots, undefined, sinceAt)
    },
    forget(isTheirs) {
      for (const root of slots.keys()) if (isTheirs(root)) slots.delete(root)
      for (const root of gapStates.keys()) if (isTheirs(root)) gapStates.delete(root)
    },
    pause(host) {
      slotOf(host.root).waitUntil = host.notBeforeAt
    },
    setGapState(root, gapState) {
      if (gapState.adaptiveGap || gapState.crawlDelay) gapStates.set(root, gapState)
      else gapStates.delete(root)
    },
    gapMs: gapOf,
    freeAt: (root, now) => {
      const slot = slots.get(root)
      return slot ? slotFreeAt(root, slot, now) : now
    },
  }
}

/** At most this many: some of those in between may have been served already. */
function ticketsBefore(ticket: number, { turns }: Slot): number {
  for (const head of turns.values()) return Math.min(turns.size - 1, ticket - head.ticket)
  return 0
}

/** Tickets are in order and turns nearly so: checking the head is enough. */
function dropMissedTurns(slot: Slot, now: Instant): void {
  for (const [requester, { at }] of slot.turns) {
    if (at > now - TURN_EXPIRES_AFTER_MS) return
    slot.turns.delete(requester)
  }
}

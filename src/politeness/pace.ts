/**
 * Host queues: one request at a time per root, with a gap between two. Some requests need several slots at once: of redirect targets,
 * and of a tenant and its platform. A request that has to wait is told when to ask again and keeps its place, so that a thousand
 * feeds of one domain queue up in order instead of retrying every second.
 *
 * First come, first served. A request keeps the ticket of its first attempt until it gets the slot; its turn is as many gaps away as
 * there are tickets before it. If the slot is not free at its turn, because a request took long or the root was paused, it gets a new
 * turn with the same ticket. After its request, it queues up at the end again.
 *
 * Only current state is kept, in memory: a restart begins with empty queues. Long-lived state of a root is in the store and is passed
 * in by `rest` and `learn`.
 */
import { type Host, type Instant, MINUTE, type Millis } from '../model/index.ts'
import { type OwnPace, ownGapMs } from './adaptive-gap.ts'

export interface Pace {
  /** Takes the slots of all these roots for `visitor` until `leave`, or none of them; else says when to ask again. */
  enter(roots: readonly string[], visitor: string, now: Instant): Turn
  /** For low priority requests: succeeds only if nobody is queued, and does not queue; else says when to ask again. */
  enterLast(roots: readonly string[], now: Instant): Turn
  leave(root: string, now: Instant): void
  /** Marks the slots as taken since then, for requests that were sent without asking. */
  occupy(roots: readonly string[], sinceAt: Instant): void
  /** Drops the state of roots that another controller owns now. */
  forget(isTheirs: (root: string) => boolean): void
  /** Blocks the host's root until its `notBeforeAt`. */
  rest(host: Host): void
  /** Sets the known gap requirements of a root, replacing earlier ones. */
  learn(root: string, own: OwnPace): void
  /** The root's current gap, for tasks with several requests. */
  gapMs(root: string, now: Instant): Millis
  /** When a root without a queue is free. */
  freeAt(root: string, now: Instant): Instant
}

export type Turn = { kind: 'go' } | { kind: 'wait'; until: Instant }

export interface PaceParts {
  gapMs: Millis
  /** Roots without gaps and queues, such as our own machines. Requested pauses still apply. */
  isExempt?: (root: string) => boolean
  /** In [0, 1): spaces turns up to a quarter of a gap further apart, as jitter. */
  random?: () => number
}

interface Door {
  inside: number
  enteredAt: Instant
  /** When the slot was last taken or released. */
  lastAt: Instant
  restUntil: Instant
  /** Turns assigned and not taken yet, in ticket order. */
  turns: Map<string, { at: Instant; ticket: number }>
  nextTicket: number
  /** The latest assigned turn. */
  lastTurnAt: Instant
  /** Duration of requests; a moving average. */
  visitMs: Millis
}

const FORGET_DOORS_OVER = 10_000
const TURN_LOST_AFTER_MS = 5 * MINUTE // the feed was removed or paused meanwhile
const VISIT_WEIGHT = 1 / 4 // weight of the latest request in the average
const SHORTEST_TURN_MS = 20 // ours: minimum wait before asking again, even without a gap
const LONGEST_VISIT_MS = MINUTE // longer ones were delayed by us, or lost

export function createPace({ gapMs, isExempt = () => false, random = () => 0 }: PaceParts): Pace {
  const doors = new Map<string, Door>()
  const learnt = new Map<string, OwnPace>()
  let forgetOver = FORGET_DOORS_OVER

  function doorOf(root: string): Door {
    let door = doors.get(root)
    if (!door) {
      door = {
        inside: 0,
        enteredAt: 0,
        lastAt: Number.NEGATIVE_INFINITY,
        restUntil: 0,
        turns: new Map(),
        nextTicket: 0,
        lastTurnAt: 0,
        visitMs: 0,
      }
      doors.set(root, door)
    }
    return door
  }

  function gapOf(root: string, now: Instant): Millis {
    return isExempt(root) ? 0 : ownGapMs(gapMs, learnt.get(root) ?? {}, now)
  }

  function freeFrom(root: string, door: Door, now: Instant): Instant {
    return Math.max(now, door.lastAt + gapOf(root, now), door.restUntil)
  }

  /** Without a ticket it is new, and never gets a turn before one that is already assigned. */
  function promise(root: string, door: Door, ticket: number | undefined, now: Instant): Instant {
    if (isExempt(root)) return Math.max(now + 1, door.restUntil)
    const gap = gapOf(root, now)
    const visit = Math.ceil(door.visitMs)
    const each = Math.max(SHORTEST_TURN_MS, gap + visit)
    const isOver = Math.max(now, door.enteredAt + visit)
    const leavesAt = Math.max(isOver + gap, now + SHORTEST_TURN_MS) // a request in progress takes a moment longer
    const first = door.inside > 0 ? Math.max(leavesAt, door.restUntil) : freeFrom(root, door, now)
    const ahead = ticket === undefined ? door.turns.size : ticketsBefore(ticket, door)
    const inOrder = first + ahead * each
    const afterLast = ticket === undefined && ahead > 0 ? door.lastTurnAt + each : 0
    return Math.max(now + 1, Math.ceil(Math.max(inOrder, afterLast) + (gap / 4) * random()))
  }

  function forgetIdle(now: Instant): void {
    if (doors.size <= forgetOver) return
    for (const [root, door] of doors)
      if (door.inside === 0 && door.turns.size === 0 && freeFrom(root, door, now) <= now) doors.delete(root)
    forgetOver = Math.max(FORGET_DOORS_OVER, 2 * doors.size) // otherwise many paused roots would be scanned on every call
  }

  function isOpenTo(root: string, visitor: string | undefined, now: Instant): boolean {
    const door = doorOf(root)
    dropLostTurns(door, now)
    const turn = visitor === undefined ? undefined : door.turns.get(visitor)
    const isFree = (door.inside === 0 || isExempt(root)) && freeFrom(root, door, now) <= now
    return isFree && (turn ? turn.at <= now : door.turns.size === 0 || isExempt(root))
  }

  function turnAt(root: string, visitor: string, now: Instant): Instant {
    const door = doorOf(root)
    const turn = door.turns.get(visitor)
    if (turn && turn.at > now) return turn.at
    const at = promise(root, door, turn?.ticket, now)
    door.turns.set(visitor, { at, ticket: turn?.ticket ?? door.nextTicket++ })
    door.lastTurnAt = Math.max(at, door.turns.size > 1 ? door.lastTurnAt : 0)
    return at
  }

  function goIn(roots: readonly string[], visitor: string | undefined, now: Instant): Turn {
    for (const root of roots) {
      const door = doorOf(root)
      if (visitor !== undefined) door.turns.delete(visitor)
      door.inside++
      door.enteredAt = now
      door.lastAt = now
    }
    return { kind: 'go' }
  }

  return {
    enter(roots, visitor, now) {
      forgetIdle(now)
      const shut = roots.filter((root) => !isOpenTo(root, visitor, now))
      if (shut.length === 0) return goIn(roots, visitor, now)
      // Slots that are free are not reserved; it keeps its ticket there.
      return { kind: 'wait', until: Math.max(...shut.map((root) => turnAt(root, visitor, now))) }
    },
    enterLast(roots, now) {
      forgetIdle(now)
      const shut = roots.filter((root) => !isOpenTo(root, undefined, now))
      if (shut.length === 0) return goIn(roots, undefined, now)
      return { kind: 'wait', until: Math.max(...shut.map((root) => promise(root, doorOf(root), undefined, now))) }
    },
    leave(root, now) {
      const door = doorOf(root)
      if (door.inside > 0) {
        const tookMs = Math.min(LONGEST_VISIT_MS, Math.max(0, now - door.enteredAt))
        door.visitMs += (tookMs - door.visitMs) * VISIT_WEIGHT
        door.inside--
      }
      door.lastAt = Math.max(door.lastAt, now)
    },
    occupy(roots, sinceAt) {
      goIn(roots, undefined, sinceAt)
    },
    forget(isTheirs) {
      for (const root of doors.keys()) if (isTheirs(root)) doors.delete(root)
      for (const root of learnt.keys()) if (isTheirs(root)) learnt.delete(root)
    },
    rest(host) {
      doorOf(host.root).restUntil = host.notBeforeAt
    },
    learn(root, own) {
      if (own.adaptiveGap || own.crawlDelay) learnt.set(root, own)
      else learnt.delete(root)
    },
    gapMs: gapOf,
    freeAt: (root, now) => {
      const door = doors.get(root)
      return door ? freeFrom(root, door, now) : now
    },
  }
}

/** At most this many: some of those in between may have been served already. */
function ticketsBefore(ticket: number, { turns }: Door): number {
  for (const head of turns.values()) return Math.min(turns.size - 1, ticket - head.ticket)
  return 0
}

/** Tickets are in order and turns nearly so: checking the head is enough. */
function dropLostTurns(door: Door, now: Instant): void {
  for (const [visitor, { at }] of door.turns) {
    if (at > now - TURN_LOST_AFTER_MS) return
    door.turns.delete(visitor)
  }
}

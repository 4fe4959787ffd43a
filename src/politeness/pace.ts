/**
 * Turns at a root's door: one visitor at a time, and a gap between two. Some go through several doors at once: where
 * redirects lead, and a tenant's within its platform. Whoever cannot go now is told when its turn comes
 * and keeps it, so that a thousand feeds of one domain queue up in order instead of knocking together each second.
 *
 * Whoever asked first goes first. A visitor has a ticket from when it first asked until it goes in, and its turn is as many
 * gaps away as there are tickets before it. If the door is not free when its turn comes, because a visit took long or the
 * root was given a rest, it gets a new turn but keeps its ticket. One that has been in stands behind all who wait.
 *
 * Only the present is remembered (a restart begins with an empty street); what a root has asked of us is in the store, and
 * is told here by `rest` and `learn`.
 */
import { type Host, type Instant, MINUTE, type Millis } from '../model/index.ts'
import { type OwnPace, ownGapMs } from './adaptive-gap.ts'

export interface Pace {
  /** May `visitor` go in at all of these doors now? Then it is inside until `leave`; else at none, and this is when to ask again. */
  enter(roots: readonly string[], visitor: string, now: Instant): Turn
  /** For those who let all others go first: in only if nobody has a turn, and without a turn of its own; else when to ask again. */
  enterLast(roots: readonly string[], now: Instant): Turn
  leave(root: string, now: Instant): void
  /** Somebody is in there since then, whom nobody asked for his turn. */
  occupy(roots: readonly string[], sinceAt: Instant): void
  /** Nothing is known of these any more: somebody else looks after them. */
  forget(isTheirs: (root: string) => boolean): void
  /** Nothing goes to the host's root before its date. */
  rest(host: Host): void
  /** What is known of the root's own gap, in place of what was known before. */
  learn(root: string, own: OwnPace): void
  /** The gap that the root is owed at present, for those who go there more than once in one visit. */
  gapMs(root: string, now: Instant): Millis
  /** The earliest moment at which a root that nobody queues for may be visited. */
  freeAt(root: string, now: Instant): Instant
}

export type Turn = { kind: 'go' } | { kind: 'wait'; until: Instant }

export interface PaceParts {
  gapMs: Millis
  /** Roots that need no gaps and no turns, such as one's own machines. When they ask for a rest they get it. */
  isExempt?: (root: string) => boolean
  /** In [0, 1): sets turns up to a quarter of a gap further apart, so that we do not walk in step. */
  random?: () => number
}

interface Door {
  inside: number
  enteredAt: Instant
  /** When the last visitor left, or went in. */
  lastAt: Instant
  restUntil: Instant
  /** Turns that were promised and not taken yet, in the order of their tickets. */
  turns: Map<string, { at: Instant; ticket: number }>
  nextTicket: number
  /** The latest turn that was promised. */
  lastTurnAt: Instant
  /** How long visits take; a moving average. */
  visitMs: Millis
}

const FORGET_DOORS_OVER = 10_000
const TURN_LOST_AFTER_MS = 5 * MINUTE // whoever does not come to its turn was removed or paused meanwhile
const VISIT_WEIGHT = 1 / 4 // of the latest visit in the average
const SHORTEST_TURN_MS = 20 // ours: nobody comes sooner, without a gap either, to see whether the door is free
const LONGEST_VISIT_MS = MINUTE // one that took longer was ours to blame, or lost

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

  /** Without a ticket it is a newcomer, who is never promised a turn before one that was promised already. */
  function promise(root: string, door: Door, ticket: number | undefined, now: Instant): Instant {
    if (isExempt(root)) return Math.max(now + 1, door.restUntil)
    const gap = gapOf(root, now)
    const visit = Math.ceil(door.visitMs)
    const each = Math.max(SHORTEST_TURN_MS, gap + visit)
    const isOver = Math.max(now, door.enteredAt + visit)
    const leavesAt = Math.max(isOver + gap, now + SHORTEST_TURN_MS) // whoever is inside, is so a moment longer
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
    forgetOver = Math.max(FORGET_DOORS_OVER, 2 * doors.size) // else many that rest would be looked at by each who enters
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
      // Where it could go in, it keeps its ticket, and nobody waits for it.
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

/** At most so many: some who had one between may have gone in already. */
function ticketsBefore(ticket: number, { turns }: Door): number {
  for (const head of turns.values()) return Math.min(turns.size - 1, ticket - head.ticket)
  return 0
}

/** Tickets stand in order and turns nearly so: it is enough to look at the head. */
function dropLostTurns(door: Door, now: Instant): void {
  for (const [visitor, { at }] of door.turns) {
    if (at > now - TURN_LOST_AFTER_MS) return
    door.turns.delete(visitor)
  }
}

/**
 * Turns at a root's door: one visitor at a time, and a gap between two. Whoever cannot go now is told when its turn comes
 * and keeps it, so that a thousand feeds of one domain queue up in order instead of knocking together each second.
 *
 * Only the present is remembered (a restart begins with an empty street); what a root has asked of us is in the store.
 */
import { type Host, type Instant, MINUTE, type Millis } from '../model/index.ts'

export interface Pace {
  /** May `visitor` go to `root` now? If so it is inside until `leave`; if not, this is when its turn comes. */
  enter(root: string, visitor: string, now: Instant): { kind: 'go' } | { kind: 'wait'; until: Instant }
  leave(root: string, now: Instant): void
  /** Nothing goes to the host's root before its date. */
  rest(host: Host): void
  /** The earliest moment at which a root that nobody queues for may be visited. */
  freeAt(root: string, now: Instant): Instant
}

interface Door {
  inside: number
  /** When the last visitor left, or went in. */
  lastAt: Instant
  restUntil: Instant
  /** Turns that were promised and not taken yet. */
  turns: Map<string, Instant>
  /** The last promised turn. */
  lastTurnAt: Instant
}

const FORGET_DOORS_OVER = 10_000
const TURN_LOST_AFTER_MS = 5 * MINUTE // whoever does not come to its turn was removed or paused meanwhile

export function createPace({ gapMs }: { gapMs: Millis }): Pace {
  const doors = new Map<string, Door>()

  function doorOf(root: string): Door {
    let door = doors.get(root)
    if (!door) {
      door = { inside: 0, lastAt: Number.NEGATIVE_INFINITY, restUntil: 0, turns: new Map(), lastTurnAt: 0 }
      doors.set(root, door)
    }
    return door
  }

  const freeFrom = (door: Door, now: Instant): Instant => Math.max(now, door.lastAt + gapMs, door.restUntil)

  function forgetIdle(now: Instant): void {
    if (doors.size <= FORGET_DOORS_OVER) return
    for (const [root, door] of doors)
      if (door.inside === 0 && door.turns.size === 0 && freeFrom(door, now) <= now) doors.delete(root)
  }

  return {
    enter(root, visitor, now) {
      forgetIdle(now)
      const door = doorOf(root)
      dropLostTurns(door, now)
      const turn = door.turns.get(visitor)
      const free = door.inside === 0 && freeFrom(door, now) <= now
      const mine = turn === undefined ? door.turns.size === 0 : turn <= now
      if (free && mine) {
        door.turns.delete(visitor)
        door.inside++
        door.lastAt = now
        return { kind: 'go' }
      }
      if (turn !== undefined && turn > now) return { kind: 'wait', until: turn }
      const earliest = freeFrom(door, now) + (door.inside > 0 ? gapMs : 0)
      const until = Math.max(earliest, now + 1, door.turns.size > 0 ? door.lastTurnAt + gapMs : 0)
      door.turns.delete(visitor)
      door.turns.set(visitor, until)
      door.lastTurnAt = until
      return { kind: 'wait', until }
    },
    leave(root, now) {
      const door = doorOf(root)
      door.inside = Math.max(0, door.inside - 1)
      door.lastAt = Math.max(door.lastAt, now)
    },
    rest(host) {
      doorOf(host.root).restUntil = host.notBeforeAt
    },
    freeAt: (root, now) => {
      const door = doors.get(root)
      return door ? freeFrom(door, now) : now
    },
  }
}

/** Turns stand in the order of their dates, so only the head is looked at. */
function dropLostTurns(door: Door, now: Instant): void {
  for (const [visitor, at] of door.turns) {
    if (at > now - TURN_LOST_AFTER_MS) return
    door.turns.delete(visitor)
  }
}

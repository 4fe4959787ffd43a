/**
 * What is under way. A task departs with its lease and a date by which it must be back. What lands is known by its lease:
 * an outcome that nobody waits for, because it comes twice or too late, teaches, counts and opens nothing. A flight whose
 * time is over is lost, and gives back its hand and its doors; the lease that it had in the store ends with it.
 *
 * When something was asked for is told by the date of departure: clocks of terminals may be wrong.
 */
import {
  type Bucket,
  type Instant,
  type LeaseToken,
  MINUTE,
  type Millis,
  type Outcome,
  type Task,
} from '../../model/index.ts'
import { taskName } from '../task.ts'

/** Longer than any task may take. */
export const LEASE_MS: Millis = 10 * MINUTE

export interface Flight {
  task: Task
  sinceAt: Instant
}

export interface Flights {
  readonly size: number
  /** Whether the task of this name is out. */
  has(name: string): boolean
  /** Of all that are out, or whose outcome is being recorded. */
  leases(): ReadonlySet<LeaseToken | undefined>
  all(): Flight[]
  /** The task as it is to be sent. */
  depart<Kind extends Task>(task: Kind, now: Instant): Kind
  /** The outcome with the date of its departure; undefined if nobody waits for it. */
  land(outcome: Outcome): Outcome | undefined
  /** Those that have landed, until it is said that what they brought is recorded: nobody else may begin where they were. */
  landing(): Flight[]
  recorded(outcomes: Outcome[]): void
  /** It departed then, from somebody who is gone: it lands here, or is lost. Answers with the task as it was sent, if it was. */
  adopt(task: Task, sinceAt: Instant): Task
  /** It was not sent after all. */
  cancel(task: Task): void
  /** Those that are lost; told once. */
  expire(now: Instant): Flight[]
  /** When the first of them will be lost, if it does not land. */
  nextLossAt(): Instant | undefined
}

/**
 * So much of its lease a terminal goes out for a task; in what is left, requests under way come to an end, and a queue's clock may
 * differ from ours.
 */
const GOOD_FOR = 0.9

export interface FlightsOptions {
  leaseMs?: Millis
  /** Where outcomes come to several controllers: by what ours are known. */
  crew?: { name: string; bucketOf: (task: Task) => Bucket } | undefined
}

export function createFlights({ leaseMs = LEASE_MS, crew }: FlightsOptions = {}): Flights {
  const out = new Map<string, Flight>()
  const landing = new Map<LeaseToken | undefined, Flight>()
  let last = 0 // of those that the store gave no lease: hubs

  function named<Kind extends Task>(task: Kind, departedAt: Instant): Kind {
    const lease = task.lease ?? (`flight ${crew ? `${crew.name} ` : ''}${++last}` as LeaseToken)
    if (!crew) return { ...task, lease }
    return { ...task, lease, bucket: crew.bucketOf(task), departedAt, goodForMs: Math.floor(GOOD_FOR * leaseMs) }
  }

  return {
    get size() {
      return out.size
    },
    has: (name) => out.has(name),
    leases: () => new Set([...[...out.values()].map(({ task }) => task.lease), ...landing.keys()]),
    all: () => [...out.values()],
    depart(task, now) {
      const sent = task.lease === undefined || crew ? named(task, now) : task
      out.set(taskName(task), { task: sent, sinceAt: now })
      return sent
    },
    land(outcome) {
      const name = taskName(outcome.task)
      const flight = out.get(name)
      if (!flight || flight.task.lease !== outcome.task.lease || flight.task.kind !== outcome.task.kind)
        return undefined
      out.delete(name)
      landing.set(outcome.task.lease, flight)
      return { ...outcome, at: flight.sinceAt }
    },
    landing: () => [...landing.values()],
    recorded(outcomes) {
      for (const { task } of outcomes) landing.delete(task.lease)
    },
    adopt(task, sinceAt) {
      const sent = named(task, sinceAt)
      out.set(taskName(task), { task: sent, sinceAt })
      return sent
    },
    cancel(task) {
      out.delete(taskName(task))
    },
    expire(now) {
      const lost: Flight[] = []
      for (const [name, flight] of out) {
        if (flight.sinceAt + leaseMs > now) continue
        out.delete(name)
        lost.push(flight)
      }
      return lost
    },
    nextLossAt() {
      let first: Instant | undefined
      for (const { sinceAt } of out.values()) if (first === undefined || sinceAt < first) first = sinceAt
      return first === undefined ? undefined : first + leaseMs
    },
  }
}

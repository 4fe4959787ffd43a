/**
 * The way of tasks to the queue. A task that was taken and let in goes, or leaves again: if it is not sent it must not keep a slot, a
 * host slot or a lease, whatever failed.
 */
import type { Task } from '../../model/index.ts'
import type { Clock, Dispatch, Ledger } from '../../ports/index.ts'
import type { Wall } from '../error-boundary.ts'
import { taskName } from '../task.ts'
import type { Pushes } from '../websub/hub-subscriptions.ts'
import type { Admission } from './admission.ts'
import { attachKnown } from './attach-robots-rules.ts'
import { type HostMemory, hostsVisited } from './host-memory.ts'
import type { Flights } from './in-flight-tasks.ts'
import type { RedirectPace } from './redirect-pacing.ts'
import type { HandBack } from './release-leases.ts'

export interface SendingParts {
  ledger: Ledger
  queue: Pick<Dispatch, 'send'>
  clock: Clock
  wall: Wall
  flights: Pick<Flights, 'all' | 'cancel'>
  redirectPace: Pick<RedirectPace, 'turnBack'>
  handBack: Pick<HandBack, 'owe' | 'sent'>
  /** Whether what we own stays ours long enough for a task to be on its way. */
  isSure: () => boolean
}

export interface Sending {
  /** False: a controller that slept since it took them sends nothing, for what it takes for its own may be another's. */
  send(going: Task[], obeyRobots: 'guesses' | 'all'): Promise<boolean>
  /** They were let in, and are not sent: their leases are owed. */
  turnBack(going: Task[]): void
  /** Work between taking and sending: if it fails, what was let in of these leaves again. */
  orRelease(taken: Task[], work: () => Promise<void>): Promise<void>
}

export function createSending(parts: SendingParts): Sending {
  const { ledger, queue, clock, wall, flights, redirectPace, handBack, isSure } = parts

  function turnBack(going: Task[]): void {
    for (const task of going) {
      flights.cancel(task)
      redirectPace.turnBack(task, clock.now())
    }
    handBack.owe(going.map((task) => ({ task })))
  }

  return {
    turnBack,
    async send(going, obeyRobots) {
      if (going.length === 0) return true
      try {
        const ready = await attachKnown(going, { ledger, wall, obeyRobots }, clock.now())
        const mayGo = isSure()
        if (mayGo) await queue.send(ready)
        else turnBack(going)
        if (mayGo) handBack.sent(going)
        return mayGo
      } catch (error) {
        turnBack(going)
        throw error
      }
    },
    async orRelease(taken, work) {
      try {
        await work()
      } catch (error) {
        const leases = new Set(taken.map(({ lease }) => lease))
        turnBack(flights.all().flatMap(({ task }) => (leases.has(task.lease) ? [task] : [])))
        throw error
      }
    },
  }
}

export interface HubsParts {
  clock: Clock
  pushes: Pick<Pushes, 'due' | 'wait' | 'sent' | 'unsent'>
  flights: Pick<Flights, 'size' | 'has'>
  hands: () => number
  hosts: Pick<HostMemory, 'recall'>
  admission: Pick<Admission, 'admit'>
  sending: Sending
  obeyRobots: 'guesses' | 'all'
}

/** Asks the hubs that are due. A hub may come with its question before it has answered: that it is asked is written before it is. */
export async function askDueHubs(parts: HubsParts): Promise<number> {
  const { clock, pushes, flights, hands, hosts, admission, sending, obeyRobots } = parts
  const room = hands() - flights.size
  if (room <= 0) return 0
  const now = clock.now()
  const due = (await pushes.due(now, room)).filter((task) => !flights.has(taskName(task)))
  await hosts.recall(hostsVisited(due), now)
  const { going, waiting } = await admission.admit(due, now, { asked: false })
  let isSent = false
  try {
    await pushes.wait(waiting.flatMap(({ task, until }) => (until ? [{ task, until }] : [])))
    await pushes.sent(going)
    isSent = await sending.send(going, obeyRobots)
  } finally {
    if (!isSent) sending.turnBack(going.filter((task) => flights.has(taskName(task))))
    if (!isSent) await pushes.unsent(going)
  }
  return going.length
}

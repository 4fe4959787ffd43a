/**
 * Sends waiting entries to the destinations of users, each destination one at a time. A try is recorded when it is over: one that a crash
 * interrupts is repeated under the same id. Failures are retried with backoff, unless another try would fail, too.
 */
import type { EntryDetailsShape } from '../api/index.ts'
import { findDestination, loadDestinations, recordSend, type SendEntry, waitingSends } from '../destinations/index.ts'
import {
  type Instant,
  type Millis,
  SECOND,
  type SendAttempt,
  type SendJob,
  type UserId,
  withoutSecrets,
} from '../model/index.ts'
import type { Clock, UserValues } from '../ports/index.ts'
import {
  type Catalogues,
  entryDetails,
  type VisibilityParts,
  type VisibleParts,
  visibilityFor,
  visibleTo,
} from '../views/index.ts'
import { nextRetryAt } from './retry-schedule.ts'

export interface SendRunnerParts extends Catalogues, VisibilityParts, Pick<VisibleParts, 'search'> {
  userValues: UserValues
  clock: Clock
  sendEntry: SendEntry
  random: () => number
  /** Checked before each try: false if another process may have taken over. */
  isStillOwner?: () => boolean
  onInternalError?: (error: unknown, doing: string) => void
}

interface SendRunner {
  /** Runs until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Sends what is due now. */
  runOnce(signal?: AbortSignal): Promise<void>
  /** Call when an entry was queued. */
  wake(): void
}

const POLL_INTERVAL_MS: Millis = 15 * SECOND
/** Tries, over about eighteen hours. */
export const MAX_TRIES = 8
const MAX_CONCURRENT = 4

export function createSendRunner(parts: SendRunnerParts): SendRunner {
  const { userValues, clock, sendEntry, random, isStillOwner = () => true, onInternalError = () => {} } = parts
  /** Destinations that are being sent to. */
  const inProgress = new Map<string, Promise<void>>()
  let wakeUp = Promise.withResolvers<void>()
  const wake = () => wakeUp.resolve()

  /** Starts due sends. Returns when to look again. */
  async function startDue(signal: AbortSignal | undefined): Promise<Instant> {
    const now = clock.now()
    let nextAt = now + POLL_INTERVAL_MS
    const due = new Map<string, { userId: UserId; jobs: SendJob[] }>()
    for await (const { userId, job } of waitingSends(userValues)) {
      if (job.dueAt > now) {
        nextAt = Math.min(nextAt, job.dueAt)
        continue
      }
      const queue = due.get(job.destinationId) ?? { userId, jobs: [] }
      queue.jobs.push(job)
      due.set(job.destinationId, queue)
    }
    for (const [destinationId, { userId, jobs }] of due) {
      if (inProgress.has(destinationId) || inProgress.size >= MAX_CONCURRENT) continue
      const oldestFirst = jobs.sort((a, b) => a.queuedAt - b.queuedAt)
      const running = sendAll(userId, oldestFirst, signal)
        .catch((error: unknown) => {
          onInternalError(error, `sending entries of user ${userId}`)
          return false
        })
        .then((isDone) => {
          inProgress.delete(destinationId)
          if (isDone) wake() // others wait for their turn
        })
      inProgress.set(destinationId, running)
    }
    return nextAt
  }

  /** Returns false if it was stopped. After a failure that may pass, the rest follow later: they would probably fail, too. */
  async function sendAll(userId: UserId, jobs: readonly SendJob[], signal: AbortSignal | undefined): Promise<boolean> {
    for (const job of jobs) {
      if (signal?.aborted || !isStillOwner()) return false
      const attempt = await tryOnce(userId, job, signal)
      if (signal?.aborted) return false
      const next = afterAttempt(job, attempt, clock.now(), random())
      await recordSend(userValues, userId, next, clock.now())
      if (next.state !== 'waiting') continue
      await postpone(userId, jobs.slice(jobs.indexOf(job) + 1), next.dueAt)
      break
    }
    return true
  }

  async function postpone(userId: UserId, jobs: readonly SendJob[], dueAt: Instant): Promise<void> {
    for (const job of jobs) await recordSend(userValues, userId, { ...job, dueAt }, clock.now())
  }

  async function tryOnce(userId: UserId, job: SendJob, signal: AbortSignal | undefined): Promise<SendAttempt> {
    const fail = (trouble: string): SendAttempt => ({ at: clock.now(), trouble, isFinal: true })
    const destination = findDestination(await loadDestinations(userValues, userId), job.destinationId)
    if (!destination) return fail('the destination was removed')
    // Also what the user has muted; without titles of their own, and without texts of pages that ask not to be copied.
    const visible = visibleTo(parts, await visibilityFor(userId, parts))
    const entry = await entryDetails(job.entryId, visible)
    if (!entry) return fail('the entry is gone')
    return sendEntry({ userId, destination, entry: withoutSecretTitle(entry), sendId: job.id }, signal)
  }

  return {
    wake,
    async runOnce(signal) {
      await startDue(signal)
      await Promise.all(inProgress.values())
    },
    async run(signal) {
      signal.addEventListener('abort', wake)
      while (!signal.aborted) {
        wakeUp = Promise.withResolvers()
        const timer = new AbortController()
        const nextAt = await startDue(signal).catch((error: unknown) => {
          onInternalError(error, 'loading entries to send')
          return clock.now() + POLL_INTERVAL_MS
        })
        await Promise.race([wakeUp.promise, clock.sleepUntil(nextAt, timer.signal)])
        timer.abort()
      }
      signal.removeEventListener('abort', wake)
      await Promise.all(inProgress.values())
    },
  }
}

/** A feed without a title is called by its address, which may be secret. */
function withoutSecretTitle(entry: EntryDetailsShape): EntryDetailsShape {
  const { feedTitle = '' } = entry
  return URL.canParse(feedTitle) ? { ...entry, feedTitle: withoutSecrets(feedTitle) } : entry
}

function afterAttempt(job: SendJob, last: SendAttempt, now: Instant, chance: number): SendJob {
  if (last.trouble === undefined) return { ...job, state: 'sent', last }
  const failures = job.failures + 1
  const retryAt = last.isFinal ? undefined : nextRetryAt(failures, now, chance, MAX_TRIES)
  if (retryAt === undefined) return { ...job, failures, last, state: 'failed' }
  return { ...job, failures, last, dueAt: Math.max(retryAt, now + (last.retryAfterMs ?? 0)) }
}

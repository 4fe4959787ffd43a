/**
 * Entries on their way to destinations, as values of the user: waiting ones, and the results of the last. An entry is queued once per
 * destination. A crash loses none; one whose result was not stored yet is sent again.
 */
import { randomUUID } from 'node:crypto'
import type { EntryId, Instant, SendJob, UserId } from '../model/index.ts'
import type { UserValues } from '../ports/index.ts'

/** Waiting per user. */
export const MAX_WAITING_SENDS = 500
/** Results that are kept per user. */
const MAX_RESULTS = 200

export interface QueueSend {
  userId: UserId
  destinationId: string
  entryId: EntryId
  now: Instant
  /** Not again if it was sent or has failed. */
  isOnce?: boolean
}

export function sendKey({ entryId, destinationId }: Pick<SendJob, 'entryId' | 'destinationId'>): string {
  return `${entryId}-${destinationId}`
}

/** Returns the waiting one if there is one already. */
export async function queueSend(
  userValues: UserValues,
  { userId, destinationId, entryId, now, isOnce = false }: QueueSend,
): Promise<SendJob | 'too-many'> {
  const key = sendKey({ entryId, destinationId })
  const [known] = await userValues.userValues(userId, 'sendJob', { keys: [key], limit: 1 })
  if (known) return known.value as SendJob
  const [done] = await userValues.userValues(userId, 'sendResult', { keys: [key], limit: 1 })
  if (done && isOnce) return done.value as SendJob
  const waiting = await userValues.userValues(userId, 'sendJob', { limit: MAX_WAITING_SENDS })
  if (waiting.length >= MAX_WAITING_SENDS) return 'too-many'
  const job: SendJob = {
    id: randomUUID(),
    destinationId,
    entryId,
    state: 'waiting',
    queuedAt: now,
    dueAt: now,
    failures: 0,
  }
  await userValues.putUserValues(userId, 'sendJob', [{ key, value: job }], now)
  if (done) await userValues.putUserValues(userId, 'sendResult', [{ key, value: undefined }], now)
  return job
}

/** Waiting ones, then results, each newest first. */
export async function loadSends(userValues: UserValues, userId: UserId): Promise<SendJob[]> {
  const waiting = await userValues.userValues(userId, 'sendJob', { limit: MAX_WAITING_SENDS })
  const done = await userValues.userValues(userId, 'sendResult', { limit: MAX_RESULTS })
  const newestFirst = (a: SendJob, b: SendJob) => (b.last?.at ?? b.queuedAt) - (a.last?.at ?? a.queuedAt)
  return [waiting, done].flatMap((values) => values.map(({ value }) => value as SendJob).sort(newestFirst))
}

/** Returns false if there is none. */
export async function forgetSend(userValues: UserValues, userId: UserId, key: string, now: Instant): Promise<boolean> {
  const keys = { keys: [key], limit: 1 }
  const [waiting] = await userValues.userValues(userId, 'sendJob', keys)
  const [done] = await userValues.userValues(userId, 'sendResult', keys)
  if (waiting) await userValues.putUserValues(userId, 'sendJob', [{ key, value: undefined }], now)
  if (done) await userValues.putUserValues(userId, 'sendResult', [{ key, value: undefined }], now)
  return waiting !== undefined || done !== undefined
}

/** Of a destination that is removed. */
export async function forgetSendsTo(
  userValues: UserValues,
  userId: UserId,
  destinationId: string,
  now: Instant,
): Promise<void> {
  for (const send of await loadSends(userValues, userId))
    if (send.destinationId === destinationId) await forgetSend(userValues, userId, sendKey(send), now)
}

export async function* waitingSends(userValues: UserValues): AsyncIterable<{ userId: UserId; job: SendJob }> {
  for await (const { userId, value } of userValues.everyUserValue('sendJob')) yield { userId, job: value as SendJob }
}

/** Stores what a try has led to, unless the job was removed meanwhile. A result is stored before the job is removed. */
export async function recordSend(userValues: UserValues, userId: UserId, job: SendJob, now: Instant): Promise<void> {
  const key = sendKey(job)
  const [known] = await userValues.userValues(userId, 'sendJob', { keys: [key], limit: 1 })
  if (!known) return
  if (job.state === 'waiting') return userValues.putUserValues(userId, 'sendJob', [{ key, value: job }], now)
  await userValues.putUserValues(userId, 'sendResult', [{ key, value: job }], now)
  await userValues.putUserValues(userId, 'sendJob', [{ key, value: undefined }], now)
}

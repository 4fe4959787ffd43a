/**
 * Makes digests when they are due, and sends them by e-mail. A digest is stored before it is sent, and recorded as sent after the mail server
 * has accepted it: after a crash, at worst the same message is sent again. A period that was missed is not made up for, except the last one.
 */
import type { Client } from '../../client/index.ts'
import { type Instant, MINUTE, type Millis, SECOND, type UserId } from '../../model/index.ts'
import type { Clock, Mailer, UserValues } from '../../ports/index.ts'
import { collectDigest } from './collect-digest.ts'
import { composeDigest } from './compose-digest.ts'
import { lastPeriod } from './digest-schedule.ts'
import { nextMailAt, sendDigest } from './send-mail.ts'
import {
  type DigestProgress,
  type DigestSettings,
  loadDigestProgress,
  loadDigestSettings,
  loadDigests,
  loadMailAddress,
  storeDigest,
  storeDigestProgress,
} from './stored-digests.ts'

export interface DigestParts {
  userValues: UserValues
  clock: Clock
  /** The API as a user sees it; undefined if the user is gone. */
  clientFor: (userId: UserId) => Promise<Client | undefined>
  /** Absent if no mail server is configured. */
  mailer?: Mailer
  /** The public address of the page, without a slash at its end; empty if it is not configured. */
  pageUrl: string
  isStillOwner?: () => boolean
  /** Called when a digest could not be sent; contains no address. */
  onFailure?: (userId: UserId, trouble: string, isGivenUp: boolean) => void
  onInternalError?: (error: unknown, doing: string) => void
}

const INTERVAL_MS: Millis = 30 * SECOND
/** After an internal error of a user. */
const PAUSE_MS: Millis = 10 * MINUTE

export function createDigestRunner(parts: DigestParts) {
  const { userValues, clock, pageUrl, isStillOwner = () => true } = parts
  const { onFailure = () => {}, onInternalError = () => {} } = parts
  const pausedUntil = new Map<UserId, Instant>()

  async function makeDigest(userId: UserId, settings: DigestSettings): Promise<void> {
    const period = lastPeriod(settings, clock.now())
    const progress = await loadDigestProgress(parts, userId)
    if (progress && progress.key >= period.key) return
    const client = await parts.clientFor(userId)
    if (!client) return
    const content = await collectDigest(client, period, settings)
    const digest = composeDigest(content, period, { timeZone: settings.timeZone, pageUrl })
    if (!isStillOwner()) return
    if (digest) await storeDigest(parts, userId, period.key, { ...digest, dueAt: period.dueAt })
    const mail = digest && settings.byEmail && { mail: { key: period.key, failures: 0, retryAt: clock.now() } }
    await storeDigestProgress(parts, userId, { ...progress, key: period.key, ...mail })
  }

  async function sendMail(userId: UserId, progress: DigestProgress): Promise<void> {
    const { mailer } = parts
    const { mail, ...rest } = progress
    if (!mail || mail.retryAt > clock.now()) return
    const [address, settings, [digest]] = await Promise.all([
      loadMailAddress(parts, userId),
      loadDigestSettings(parts, userId),
      loadDigests(parts, userId, [mail.key]),
    ])
    const { key } = mail
    const end = (trouble?: string) =>
      storeDigestProgress(parts, userId, { ...rest, last: { at: clock.now(), key, ...(trouble && { trouble }) } })
    if (!digest || !settings?.byEmail) return storeDigestProgress(parts, userId, rest)
    if (!address?.confirmedAt) return end('your e-mail address is not confirmed')
    if (!mailer || pageUrl === '') return end('this server sends no e-mail: smtp-host or public-url is not set')
    const result = await sendDigest(userId, address.address, digest, { ...parts, mailer })
    if (result.ok) return end()
    const failures = mail.failures + 1
    const retryAt = result.isFinal ? undefined : nextMailAt(failures, digest.dueAt, clock.now())
    onFailure(userId, result.trouble, retryAt === undefined)
    if (retryAt === undefined) return end(result.trouble)
    const last = { at: clock.now(), key, trouble: result.trouble }
    await storeDigestProgress(parts, userId, { ...rest, last, mail: { key, failures, retryAt } })
  }

  async function forEach<Value>(
    kind: 'digestSettings' | 'digestProgress',
    step: (userId: UserId, value: Value) => Promise<void>,
  ): Promise<void> {
    const found: { userId: UserId; value: Value }[] = []
    for await (const { userId, value } of userValues.everyUserValue(kind)) found.push({ userId, value: value as Value })
    for (const { userId, value } of found) {
      if (!isStillOwner()) return
      if ((pausedUntil.get(userId) ?? 0) > clock.now()) continue
      try {
        await step(userId, value)
      } catch (error) {
        pausedUntil.set(userId, clock.now() + PAUSE_MS)
        onInternalError(error, `making the digest of user ${userId}`)
      }
    }
  }

  async function runOnce(): Promise<void> {
    await forEach<DigestSettings>('digestSettings', makeDigest)
    await forEach<DigestProgress>('digestProgress', sendMail)
  }

  return {
    runOnce,
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const startedAt = clock.now()
        await runOnce().catch((error: unknown) => onInternalError(error, 'loading digests'))
        if (!signal.aborted) await clock.sleepUntil(startedAt + INTERVAL_MS, signal)
      }
    },
  }
}

/** Sends messages to the push services of browsers (RFC 8030), with backoff. What a push service answers decides what becomes of a device. */
import { describeFailure, HOUR, type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'
import type { Clock, Net } from '../ports/index.ts'
import { messageBytes, type PushMessage } from './compose-messages.ts'
import { encryptPushMessage, type VapidKeys, vapidAuthorization } from './push-encryption.ts'
import type { PushDevice } from './stored-devices.ts'

export interface PushParts {
  net: Net
  clock: Pick<Clock, 'now'>
  /** An https or mailto address of the operator, for push services. */
  contact: string
}

export type PushResult =
  | { kind: 'accepted' }
  /** The browser has unsubscribed. */
  | { kind: 'gone' }
  /** To be sent again later. */
  | { kind: 'retry'; trouble: string; afterMs?: Millis }
  /** Sending it again would not help. */
  | { kind: 'refused'; trouble: string }

/** How long a push service keeps a message for a browser that is not connected. */
export const MESSAGE_TTL_MS: Millis = 24 * HOUR
const MAX_ANSWER_BYTES = 4096
const TIMEOUT_MS: Millis = 20 * SECOND
const MAX_RETRY_AFTER_MS: Millis = 6 * HOUR
/** Waits after the first failure, the second, and so on; the last one repeats. */
const PAUSES: Millis[] = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR]

export async function sendPush(
  { endpoint, keys }: Pick<PushDevice, 'endpoint' | 'keys'>,
  message: PushMessage,
  vapid: VapidKeys,
  { net, clock, contact }: PushParts,
  { ttlMs = MESSAGE_TTL_MS, signal }: { ttlMs?: Millis; signal?: AbortSignal } = {},
): Promise<PushResult> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await net.post({
    url: endpoint,
    headers: {
      authorization: vapidAuthorization(endpoint, vapid, { now: clock.now(), contact }),
      'content-encoding': 'aes128gcm',
      ttl: String(Math.max(0, Math.floor(ttlMs / SECOND))),
      topic: topicOf(message.tag),
      urgency: 'normal',
    },
    binary: { type: 'application/octet-stream', bytes: encryptPushMessage(messageBytes(message), keys) },
    maxBytes: MAX_ANSWER_BYTES,
    enoughBytes: MAX_ANSWER_BYTES,
    shouldFollow: () => false,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  if (!response.ok) return { kind: 'retry', trouble: describeFailure(response.failure) }
  const { status } = response
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const trouble = describeFailure({ kind: 'http', status })
  if (status === 429 || status >= 500) {
    const seconds = Number(response.headers['retry-after'])
    return { kind: 'retry', trouble, ...(seconds > 0 && { afterMs: Math.min(seconds * SECOND, MAX_RETRY_AFTER_MS) }) }
  }
  return { kind: 'refused', trouble }
}

/** A push service replaces an undelivered message with the same topic: at most 32 characters of base64url. */
function topicOf(tag: string): string {
  return tag.replace(/[^\w-]/g, '_').slice(-32)
}

/** The device after a message; undefined if it is gone. */
export function afterSending(device: PushDevice, result: PushResult, now: Instant): PushDevice | undefined {
  const { trouble: _trouble, retryAt: _retryAt, ...rest } = device
  if (result.kind === 'gone') return undefined
  if (result.kind === 'accepted') return { ...rest, failures: 0, sentAt: now }
  const failures = device.failures + 1
  if (result.kind === 'refused') return { ...rest, failures, trouble: result.trouble }
  const pauseMs = PAUSES[Math.min(failures, PAUSES.length) - 1]!
  return { ...rest, failures, trouble: result.trouble, retryAt: now + Math.max(pauseMs, result.afterMs ?? 0) }
}

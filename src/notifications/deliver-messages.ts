/** Messages that wait for a device: stored before anything is sent, and removed once the push service has answered. */
import type { Instant, UserId } from '../model/index.ts'
import { type Clock, USER_VALUE_KINDS, type Users, type UserValues } from '../ports/index.ts'
import type { PushMessage } from './compose-messages.ts'
import { afterSending, MESSAGE_TTL_MS, type PushParts, sendPush } from './send-push.ts'
import {
  loadDevices,
  loadVapidKeys,
  type NotificationStore,
  type PushDevice,
  removeDevices,
  storeDevice,
} from './stored-devices.ts'

interface DeliveryParts extends Omit<PushParts, 'clock'> {
  userValues: UserValues
  clock: Clock
  users: Pick<Users, 'credentialsOf'>
  isStillOwner?: () => boolean
}

interface StoredMessage {
  deviceId: string
  message: PushMessage
  addedAt: Instant
}

/** A message with the same tag replaces one that was not sent yet. */
export async function storeMessages(
  { userValues, clock }: NotificationStore,
  userId: UserId,
  devices: readonly PushDevice[],
  message: PushMessage,
): Promise<void> {
  const now = clock.now()
  const changes = devices.map(({ id }) => {
    const value: StoredMessage = { deviceId: id, message, addedAt: now }
    return { key: `${id} ${message.tag}`, value }
  })
  await userValues.putUserValues(userId, 'pushMessage', changes, now)
}

/** Sends what is due to all devices of a user, at the same time to different devices. */
export async function deliverMessages(userId: UserId, parts: DeliveryParts, signal?: AbortSignal): Promise<void> {
  const { userValues, clock } = parts
  const stored = await userValues.userValues(userId, 'pushMessage', { limit: USER_VALUE_KINDS.pushMessage })
  if (stored.length === 0) return
  const devices = await removeSignedOut(userId, await loadDevices(parts, userId), parts)
  const messages = stored
    .map(({ key, value }) => ({ key, ...(value as StoredMessage) }))
    .sort((a, b) => a.addedAt - b.addedAt || a.message.tag.localeCompare(b.message.tag))
  const known = new Set(devices.map(({ id }) => id))
  const isOutdated = ({ deviceId, addedAt }: StoredMessage) =>
    !known.has(deviceId) || clock.now() - addedAt > MESSAGE_TTL_MS
  await removeMessages(
    messages.filter(isOutdated).map(({ key }) => key),
    userId,
    parts,
  )
  const current = messages.filter((message) => !isOutdated(message))
  await Promise.all(
    devices.map((device) => {
      const own = current.filter(({ deviceId }) => deviceId === device.id)
      return deliverTo(device, own, userId, parts, signal)
    }),
  )
}

async function deliverTo(
  first: PushDevice,
  messages: (StoredMessage & { key: string })[],
  userId: UserId,
  parts: DeliveryParts,
  signal?: AbortSignal,
): Promise<void> {
  const { clock, isStillOwner = () => true } = parts
  let device = first
  const vapid = messages.length > 0 ? await loadVapidKeys(parts, userId) : undefined
  for (const { key, message, addedAt } of messages) {
    const now = clock.now()
    if (signal?.aborted || !isStillOwner() || !vapid || (device.retryAt ?? 0) > now) return
    const timing = { ttlMs: addedAt + MESSAGE_TTL_MS - now, ...(signal && { signal }) }
    const result = await sendPush(device, message, vapid, parts, timing)
    if (signal?.aborted && result.kind === 'retry') return
    if (result.kind !== 'retry') await removeMessages([key], userId, parts)
    const changed = afterSending(device, result, clock.now())
    if (!changed) return removeDevices(parts, userId, [device.id])
    device = changed
    if (!(await isStillListed(device, userId, parts))) return
    await storeDevice(parts, userId, device)
  }
}

/** Its user may have removed it while a message was sent. */
async function isStillListed({ id }: PushDevice, userId: UserId, parts: DeliveryParts): Promise<boolean> {
  const found = await parts.userValues.userValues(userId, 'pushDevice', { keys: [id], limit: 1 })
  return found.length > 0
}

async function removeMessages(keys: readonly string[], userId: UserId, { userValues, clock }: DeliveryParts) {
  const changes = keys.map((key) => ({ key, value: undefined }))
  if (changes.length > 0) await userValues.putUserValues(userId, 'pushMessage', changes, clock.now())
}

/** Devices whose session has ended are removed. */
async function removeSignedOut(
  userId: UserId,
  devices: readonly PushDevice[],
  parts: DeliveryParts,
): Promise<PushDevice[]> {
  if (devices.every(({ sessionId }) => sessionId === undefined)) return [...devices]
  const sessions = new Set((await parts.users.credentialsOf(userId, parts.clock.now())).map(({ id }) => id))
  const isSignedIn = ({ sessionId }: PushDevice) => sessionId === undefined || sessions.has(sessionId)
  await removeDevices(
    parts,
    userId,
    devices.filter((device) => !isSignedIn(device)).map(({ id }) => id),
  )
  return devices.filter(isSignedIn)
}

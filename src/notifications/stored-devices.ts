/**
 * Browsers that receive the notifications of a user, and the keys with which messages to them are signed. Each user has keys of their own,
 * which are generated once. Both are encrypted in the store; the values of a store without its key are left out.
 */
import { randomBytes } from 'node:crypto'
import type { CredentialId, Instant, UserId } from '../model/index.ts'
import { type Clock, USER_VALUE_KINDS, type UserValues } from '../ports/index.ts'
import { type BrowserKeys, encryptPushMessage, newVapidKeys, type VapidKeys } from './push-encryption.ts'

export interface PushDevice {
  readonly id: string
  /** Shown to the user: the browser. */
  name: string
  /** The address at the push service. It is a secret: whoever knows it can send, if they have the keys. */
  endpoint: string
  keys: BrowserKeys
  addedAt: Instant
  /** The session that added it; it ends with that session. Absent where no login is required. */
  sessionId?: CredentialId
  /** Consecutive failed messages, why the last one failed, and when the next one may be sent. */
  failures: number
  trouble?: string
  retryAt?: Instant
  /** When the push service last accepted a message. */
  sentAt?: Instant
}

export interface NotificationStore {
  userValues: UserValues
  clock: Pick<Clock, 'now'>
}

export const MAX_PUSH_DEVICES = USER_VALUE_KINDS.pushDevice
const KEYS = 'keys'

/** Most recently changed first. */
export async function loadDevices(
  { userValues }: Pick<NotificationStore, 'userValues'>,
  userId: UserId,
): Promise<PushDevice[]> {
  const values = await userValues.userValues(userId, 'pushDevice', { limit: MAX_PUSH_DEVICES })
  return values.map(({ value }) => value as PushDevice).filter(({ endpoint }) => endpoint !== undefined)
}

export async function storeDevice(
  { userValues, clock }: NotificationStore,
  userId: UserId,
  device: PushDevice,
): Promise<void> {
  await userValues.putUserValues(userId, 'pushDevice', [{ key: device.id, value: device }], clock.now())
}

export async function removeDevices(
  { userValues, clock }: NotificationStore,
  userId: UserId,
  ids: readonly string[],
): Promise<void> {
  const changes = ids.map((key) => ({ key, value: undefined }))
  if (changes.length > 0) await userValues.putUserValues(userId, 'pushDevice', changes, clock.now())
}

/** The devices that a browser session added end with it. */
export async function removeDevicesOfSession(
  store: NotificationStore,
  userId: UserId,
  sessionId: CredentialId,
): Promise<void> {
  const added = (await loadDevices(store, userId)).filter((device) => device.sessionId === sessionId)
  await removeDevices(
    store,
    userId,
    added.map(({ id }) => id),
  )
}

/** A subscription that a browser already has keeps its id. Undefined: its keys are not valid. */
export async function addDevice(
  store: NotificationStore,
  userId: UserId,
  added: Pick<PushDevice, 'name' | 'endpoint' | 'keys' | 'sessionId'>,
): Promise<PushDevice | 'too-many' | undefined> {
  if (!areValid(added.keys)) return undefined
  const known = await loadDevices(store, userId)
  const same = known.find(({ endpoint }) => endpoint === added.endpoint)
  if (!same && known.length >= MAX_PUSH_DEVICES) return 'too-many'
  const id = same?.id ?? randomBytes(12).toString('base64url')
  const device: PushDevice = { ...added, id, addedAt: same?.addedAt ?? store.clock.now(), failures: 0 }
  await storeDevice(store, userId, device)
  return device
}

function areValid(keys: BrowserKeys): boolean {
  try {
    encryptPushMessage(new Uint8Array(), keys)
    return Buffer.from(keys.auth, 'base64url').length === 16
  } catch {
    return false
  }
}

export async function loadVapidKeys(
  { userValues }: Pick<NotificationStore, 'userValues'>,
  userId: UserId,
): Promise<VapidKeys | undefined> {
  const [stored] = await userValues.userValues(userId, 'notificationKeys', { keys: [KEYS], limit: 1 })
  const keys = stored?.value as Partial<VapidKeys> | undefined
  return keys?.privateKey === undefined ? undefined : (keys as VapidKeys)
}

/** The keys of the user, generated on the first call. */
export async function ensureVapidKeys(store: NotificationStore, userId: UserId): Promise<VapidKeys> {
  const known = await loadVapidKeys(store, userId)
  if (known) return known
  const created = newVapidKeys()
  await store.userValues.putUserValues(userId, 'notificationKeys', [{ key: KEYS, value: created }], store.clock.now())
  return (await loadVapidKeys(store, userId)) ?? created // another server may have generated keys at the same time
}

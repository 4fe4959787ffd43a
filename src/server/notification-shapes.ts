/** The JSON of a user's notifications: devices without their secrets, searches, digests and e-mail address. */
import type { NotificationsShape, PushDeviceShape } from '../api/index.ts'
import type { UserId } from '../model/index.ts'
import {
  loadDevices,
  loadDigestProgress,
  loadDigestSettings,
  loadMailAddress,
  nextDueAt,
  notifyingSearches,
  type PushDevice,
} from '../notifications/index.ts'
import { omitUndefined } from '../views/index.ts'
import type { ServerParts } from './server-parts.ts'

export async function notificationsOf(
  userId: UserId,
  parts: Pick<ServerParts, 'userValues' | 'clock' | 'mailer' | 'publicUrl'>,
): Promise<NotificationsShape> {
  const [devices, searches, digests] = await Promise.all([
    loadDevices(parts, userId),
    notifyingSearches(parts, userId),
    digestShapes(userId, parts),
  ])
  const byAge = devices.sort((a, b) => a.addedAt - b.addedAt)
  return { devices: byAge.map(deviceShape), searches, ...digests }
}

/** The digest part of the user's notifications. */
async function digestShapes(
  userId: UserId,
  parts: Pick<ServerParts, 'userValues' | 'clock' | 'mailer' | 'publicUrl'>,
): Promise<Pick<NotificationsShape, 'digest' | 'email' | 'sendsEmail'>> {
  const [settings, progress, email] = await Promise.all([
    loadDigestSettings(parts, userId),
    loadDigestProgress(parts, userId),
    loadMailAddress(parts, userId),
  ])
  const { at, trouble } = progress?.last ?? {}
  const last = at === undefined ? {} : { last: { at: new Date(at).toISOString(), ...(trouble && { trouble }) } }
  return {
    ...(settings && {
      digest: { ...settings, nextAt: new Date(nextDueAt(settings, parts.clock.now())).toISOString(), ...last },
    }),
    ...(email && { email: { address: email.address, isConfirmed: email.confirmedAt !== undefined } }),
    sendsEmail: parts.mailer !== undefined && Boolean(parts.publicUrl),
  }
}

/** Without its address and keys. */
export function deviceShape({ id, name, addedAt, sentAt, failures, trouble }: PushDevice): PushDeviceShape {
  const sent = sentAt === undefined ? undefined : new Date(sentAt).toISOString()
  return { id, name, addedAt: new Date(addedAt).toISOString(), failures, ...omitUndefined({ sentAt: sent, trouble }) }
}

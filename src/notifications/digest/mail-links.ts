/**
 * Links in e-mails: each is signed for one purpose, one user and one address, so it is worth nothing else. A link that confirms an address
 * ends after a day; one that unsubscribes stays valid.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY, type Instant, type UserId } from '../../model/index.ts'
import type { NotificationStore } from '../stored-devices.ts'
import { linkKey, loadMailAddress, type MailAddress } from './stored-digests.ts'

export type MailPurpose = 'confirm' | 'unsubscribe'

const CONFIRM_MS = DAY
const NEVER = 0

export async function mailLink(
  purpose: MailPurpose,
  { userId, address }: { userId: UserId; address: string },
  store: NotificationStore & { pageUrl: string },
): Promise<string> {
  const key = await linkKey(store, userId, true)
  const endsAt = purpose === 'confirm' ? store.clock.now() + CONFIRM_MS : NEVER
  const token = `${userId}.${endsAt}.${signature(key ?? '', purpose, userId, endsAt, address)}`
  return `${store.pageUrl}/mail/${purpose}?token=${token}`
}

/** The user whose address the link is for, if it is valid. */
export async function verifyMailToken(
  purpose: MailPurpose,
  token: string,
  store: NotificationStore,
): Promise<{ userId: UserId; address: MailAddress } | undefined> {
  const [, id, ends, given = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined) return undefined
  const [userId, endsAt] = [Number(id) as UserId, Number(ends) as Instant]
  const [key, address] = await Promise.all([linkKey(store, userId, false), loadMailAddress(store, userId)])
  if (!key || !address || (endsAt !== NEVER && endsAt < store.clock.now())) return undefined
  const expected = signature(key, purpose, userId, endsAt, address.address)
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? { userId, address } : undefined
}

function signature(key: string, purpose: MailPurpose, userId: UserId, endsAt: Instant, address: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url'))
    .update([purpose, userId, endsAt, address].join('\n'))
    .digest('base64url')
}

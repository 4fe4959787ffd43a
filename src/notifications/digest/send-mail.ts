/** E-mails to users: digests, and the message that confirms an address. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../articles/index.ts'
import { DAY, type Instant, MINUTE, type Millis, type UserId } from '../../model/index.ts'
import type { Mailer, MailResult } from '../../ports/index.ts'
import type { NotificationStore } from '../stored-devices.ts'
import type { Digest } from './compose-digest.ts'
import { mailLink } from './mail-links.ts'
import { loadConfirmations, loadMailAddress, type MailAddress, storeMailAddress } from './stored-digests.ts'

export interface MailParts extends NotificationStore {
  mailer: Mailer
  /** The public address of the page, without a slash at its end. */
  pageUrl: string
}

/** Between two messages that confirm an address, and how many a user can ask for in a day. */
const CONFIRM_PAUSE_MS: Millis = MINUTE
const MAX_CONFIRMATIONS = 5

/** An address that is confirmed stays so. `too-soon`: the user has asked for a message a moment ago, or too often today. */
export async function askForConfirmation(
  userId: UserId,
  address: string,
  parts: MailParts,
): Promise<MailResult | 'too-soon'> {
  const now = parts.clock.now()
  const known = await loadMailAddress(parts, userId)
  if (known?.confirmedAt && known.address === address) return { ok: true }
  const before = await loadConfirmations(parts, userId)
  const day = new Date(now).toISOString().slice(0, 10)
  const count = before?.requests?.day === day ? before.requests.count : 0
  if (before && (now - (before.requestedAt ?? 0) < CONFIRM_PAUSE_MS || count >= MAX_CONFIRMATIONS)) return 'too-soon'
  const requested: MailAddress = { address, requestedAt: now, requests: { day, count: count + 1 } }
  await storeMailAddress(parts, userId, requested)
  const link = await mailLink('confirm', { userId, address }, parts)
  const lines = [
    'Somebody asked Freshet to send digests of news to this address.',
    'Confirm it within a day:',
    link,
    'If it was not you, ignore this message: nothing else is sent to you.',
  ]
  return parts.mailer.send({
    to: address,
    subject: 'Confirm your address',
    text: lines.join('\n\n'),
    html: lines.map((line) => (line === link ? htmlLink(link) : `<p>${escapeHtml(line)}</p>`)).join('\n'),
    messageId: messageId(`confirm ${userId} ${address} ${now}`, parts),
  })
}

/** The same digest has the same Message-ID, so that a mail server or reader can recognize a repetition. */
export async function sendDigest(
  userId: UserId,
  address: string,
  { key, subject, html, text }: Digest & { key: string },
  parts: MailParts,
): Promise<MailResult> {
  const unsubscribeUrl = await mailLink('unsubscribe', { userId, address }, parts)
  const settingsUrl = `${parts.pageUrl}/dashboard/notifications`
  return parts.mailer.send({
    to: address,
    subject,
    text: `${text}\n\n-- \nChange your digests: ${settingsUrl}\nUnsubscribe: ${unsubscribeUrl}\n`,
    html: [
      '<!doctype html><html lang="en"><meta charset="utf-8"><body style="max-width:40rem;margin:auto;font-family:sans-serif">',
      html,
      `<hr><p><small><a href="${escapeHtml(settingsUrl)}">Change your digests</a> · <a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a></small></p>`,
      '</body></html>',
    ].join('\n'),
    messageId: messageId(`digest ${userId} ${address} ${key}`, parts),
    unsubscribeUrl,
  })
}

function htmlLink(url: string): string {
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`
}

function messageId(of: string, { pageUrl }: MailParts): string {
  return `${createHash('sha256').update(of).digest('hex').slice(0, 32)}@${new URL(pageUrl).hostname}`
}

/** When a digest that could not be sent is tried again; undefined after a day. */
export function nextMailAt(failures: number, dueAt: Instant, now: Instant): Instant | undefined {
  const pauses = [5, 15, 60, 240].map((minutes) => minutes * MINUTE)
  const at = now + pauses[Math.min(failures, pauses.length) - 1]!
  return at - dueAt > DAY ? undefined : at
}

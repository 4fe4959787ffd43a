/**
 * The delivery loop. Due webhooks come from the store; each receiver gets one batch after the other, and receivers are served in parallel,
 * independently of each other. A batch is recorded once it is acknowledged, so at worst it is sent twice. One that failed is sent again under
 * the same id, with the same body while the process runs and with the same entries afterwards, whatever arrives meanwhile.
 */
import {
  type EntryId,
  type Instant,
  type Millis,
  SECOND,
  type Webhook,
  type WebhookDelivery,
  type WebhookId,
} from '../model/index.ts'
import type { Net, Sharing } from '../ports/index.ts'
import { type BatchParts, nextBatch, sameBatch } from '../views/index.ts'
import { nextRetryAt } from './retry-schedule.ts'
import { createSender } from './send.ts'

interface WebhookParts extends BatchParts {
  sharing: Sharing
  net: Net
  random: () => number
  /** Called before each delivery, if several processes could deliver: to check that no other has taken over. */
  isStillOwner?: () => boolean
  /** Called when a delivery fails and when a webhook is disabled; contains no secrets, and only the origin of the address. */
  onFailure?: (webhook: { id: WebhookId; name: string; origin: string }, reason: string, isDisabled: boolean) => void
  /** An internal error; other webhooks continue. */
  onInternalError?: (error: unknown, doing: string) => void
}

interface Webhooks {
  /** Runs until the signal; interrupted deliveries are repeated later. */
  run(signal: AbortSignal): Promise<void>
  /** Call when there may be something to deliver. */
  wake(): void
}

const POLL_INTERVAL_MS: Millis = 15 * SECOND
const INDEX_RETRY_MS: Millis = 3 * SECOND
const MAX_DUE = 1000
const MAX_CONCURRENT = 8
/** Batches of one webhook before others of its receiver get their turn. */
const MAX_BATCHES_PER_RUN = 20
/** Progress without matches is stored this often: after a restart, at most this many entries are checked again. */
const SAVE_PROGRESS_EVERY = 2000
const GONE = 410

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { sharing, catalogue, clock, net, random, isStillOwner = () => true } = parts
  const { onFailure = () => {}, onInternalError = () => {} } = parts
  const inProgress = new Map<string, Promise<void>>()
  /** How far entries were checked without matches, if further than stored. */
  const checkedUpTo = new Map<WebhookId, EntryId>()
  /** Waits for the index, or after an internal error. */
  const pausedUntil = new Map<WebhookId, Instant>()
  const deliver = createSender({ net, clock })
  let wakeUp = Promise.withResolvers<void>()

  const wake = () => wakeUp.resolve()

  async function startDeliveries(signal: AbortSignal): Promise<void> {
    const newest = await catalogue.newestEntryId()
    for (const webhook of await sharing.dueWebhooks(clock.now(), MAX_DUE)) {
      const receiver = originOf(webhook.url)
      if (startAfter(webhook) >= newest || (pausedUntil.get(webhook.id) ?? 0) > clock.now()) continue
      if (inProgress.has(receiver) || inProgress.size >= MAX_CONCURRENT) continue
      const running = deliverBatches(webhook, signal)
        .catch((error: unknown) => {
          pausedUntil.set(webhook.id, clock.now() + POLL_INTERVAL_MS)
          onInternalError(error, `delivering webhook ${webhook.id}`)
        })
        .finally(() => {
          inProgress.delete(receiver)
          wake() // other webhooks of this receiver wait, or its next date has changed
        })
      inProgress.set(receiver, running)
    }
  }

  const startAfter = ({ id, cursor }: Webhook) => Math.max(cursor, checkedUpTo.get(id) ?? 0) as EntryId

  async function deliverBatches(webhook: Webhook, signal: AbortSignal): Promise<void> {
    const search = (await sharing.sharedItems('search', webhook.userId)).find(({ id }) => id === webhook.searchId)
    if (!search)
      return recordFailure(
        webhook,
        startAfter(webhook),
        { at: clock.now(), trouble: 'its saved search was removed' },
        true,
      )
    let from = startAfter(webhook)
    let { last } = webhook
    for (let i = 0; i < MAX_BATCHES_PER_RUN; i++) {
      const failed = last?.unaccepted
      const batch = failed ? await sameBatch(webhook, failed, parts) : await nextBatch(webhook, from, search, parts)
      if (signal.aborted || !isStillOwner()) return
      if ('fault' in batch) return recordFailure(webhook, from, { at: clock.now(), trouble: batch.fault }, false)
      if (batch.entries.length > 0) {
        const delivery = await deliver(webhook, failed?.from ?? from, search.name, batch, signal)
        if (signal.aborted) return
        if (delivery.trouble !== undefined) return recordFailure(webhook, from, delivery, delivery.status === GONE)
        last = delivery
        if (!(await recordProgress(webhook, batch.cursor, last))) return
      } else if (failed) {
        last = withoutBatch(last!) // its entries are gone
        if (!(await recordProgress(webhook, batch.cursor, last))) return
      } else if (batch.cursor - webhook.cursor >= SAVE_PROGRESS_EVERY) {
        if (!(await recordProgress(webhook, batch.cursor, last))) return
      }
      const isStuck = batch.cursor === from
      from = batch.cursor
      checkedUpTo.set(webhook.id, from)
      if (isStuck) pausedUntil.set(webhook.id, clock.now() + INDEX_RETRY_MS)
      if (batch.isLast) return
    }
  }

  function recordProgress({ id }: Webhook, cursor: EntryId, last: WebhookDelivery | undefined): Promise<boolean> {
    const record = { state: 'active' as const, dueAt: clock.now(), cursor, failures: 0, ...(last && { last }) }
    return sharing.recordDelivery(id, record)
  }

  async function recordFailure(
    webhook: Webhook,
    cursor: EntryId,
    last: WebhookDelivery,
    isFinal: boolean,
  ): Promise<void> {
    const failures = webhook.failures + 1
    const at: Instant | undefined = isFinal ? undefined : nextRetryAt(failures, clock.now(), random())
    const state = at === undefined ? 'failed' : 'active'
    const reason = last.trouble ?? ''
    const message = at === undefined ? `disabled after ${failures} failures: ${reason}` : reason
    const record = { state, dueAt: at ?? clock.now(), cursor, failures, last: { ...last, trouble: message } } as const
    if (!(await sharing.recordDelivery(webhook.id, record))) return
    const { id, name, url } = webhook
    onFailure({ id, name, origin: originOf(url) }, reason, at === undefined)
  }

  return {
    wake,
    async run(signal) {
      signal.addEventListener('abort', wake)
      while (!signal.aborted) {
        wakeUp = Promise.withResolvers()
        const timer = new AbortController()
        await startDeliveries(signal).catch((error: unknown) => onInternalError(error, 'loading due webhooks'))
        const nextAt = Math.min(clock.now() + POLL_INTERVAL_MS, ...(await nextDueDates()))
        await Promise.race([wakeUp.promise, clock.sleepUntil(nextAt, timer.signal)])
        timer.abort()
      }
      signal.removeEventListener('abort', wake)
      await Promise.all(inProgress.values())
    },
  }

  /** Of webhooks that are not due yet, or paused; the others wait for new entries. */
  async function nextDueDates(): Promise<Instant[]> {
    const at = await sharing.nextWebhookAt().catch(() => undefined)
    const now = clock.now()
    for (const [id, until] of pausedUntil) if (until <= now) pausedUntil.delete(id)
    return [...(at !== undefined && at > now ? [at] : []), ...pausedUntil.values()]
  }
}

function withoutBatch({ unaccepted: _, ...last }: WebhookDelivery): WebhookDelivery {
  return last
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

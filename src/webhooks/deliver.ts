/**
 * The delivery loop. Due webhooks come from the store; each receiver gets one batch after the other, several receivers in parallel and
 * independently. A batch is recorded once it is acknowledged: at worst it is sent twice, under the same id if nothing new arrived, and
 * its entries have ids of their own.
 */
import {
  type EntryId,
  failureInWords,
  type Instant,
  type Millis,
  SECOND,
  type Webhook,
  type WebhookDelivery,
  type WebhookId,
} from '../model/index.ts'
import type { Handouts, Net } from '../ports/index.ts'
import { type Batch, type BatchParts, nextBatch } from './batch.ts'
import { nextRetryAt } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'

interface WebhookParts extends BatchParts {
  handouts: Handouts
  net: Net
  random: () => number
  /** Called before each delivery, if several processes could deliver: to check that no other has taken over. */
  isSure?: () => boolean
  /** Called when a delivery fails and when a webhook is disabled; contains no secrets, and only the origin of the address. */
  onTrouble?: (webhook: { id: WebhookId; name: string; origin: string }, words: string, isGivenUp: boolean) => void
  /** An internal error; other webhooks continue. */
  onMistake?: (error: unknown, doing: string) => void
}

interface Webhooks {
  /** Runs until the signal; interrupted deliveries are repeated later. */
  run(signal: AbortSignal): Promise<void>
  /** Call when there may be something to deliver. */
  wake(): void
}

const LOOK_EVERY_MS: Millis = 15 * SECOND
const LOOK_AGAIN_MS: Millis = 3 * SECOND
const MOST_DUE = 1000
const MOST_AT_ONCE = 8
/** Batches of one webhook before others of its receiver get their turn. */
const BATCHES_A_TURN = 20
/** Only the status of a response matters. */
const MOST_ANSWER_BYTES = 16 * 1024
/** Progress without matches is stored this often: after a restart, at most this many entries are checked again. */
const REMEMBERED_EVERY = 2000
const GONE = 410

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { handouts, catalogue, clock, net, random, isSure = () => true } = parts
  const { onTrouble = () => {}, onMistake = () => {} } = parts
  const busy = new Map<string, Promise<void>>()
  /** How far entries were checked without matches, if further than stored. */
  const looked = new Map<WebhookId, EntryId>()
  /** Waits for the index, or after an internal error. */
  const restsUntil = new Map<WebhookId, Instant>()
  let bell = Promise.withResolvers<void>()

  const wake = () => bell.resolve()

  async function round(signal: AbortSignal): Promise<void> {
    const newest = await catalogue.newestEntryId()
    for (const webhook of await handouts.dueWebhooks(clock.now(), MOST_DUE)) {
      const receiver = originOf(webhook.url)
      if (begin(webhook) >= newest || (restsUntil.get(webhook.id) ?? 0) > clock.now()) continue
      if (busy.has(receiver) || busy.size >= MOST_AT_ONCE) continue
      const told = tell(webhook, signal)
        .catch((error: unknown) => {
          restsUntil.set(webhook.id, clock.now() + LOOK_EVERY_MS)
          onMistake(error, `telling webhook ${webhook.id}`)
        })
        .finally(() => {
          busy.delete(receiver)
          wake() // other webhooks of this receiver wait, or its next date has changed
        })
      busy.set(receiver, told)
    }
  }

  const begin = ({ id, cursor }: Webhook) => Math.max(cursor, looked.get(id) ?? 0) as EntryId

  async function tell(webhook: Webhook, signal: AbortSignal): Promise<void> {
    const search = (await handouts.savedSearches(webhook.personId)).find(({ id }) => id === webhook.searchId)
    if (!search) return fail(webhook, begin(webhook), { at: clock.now(), trouble: 'its search is gone' }, true)
    let from = begin(webhook)
    for (let i = 0; i < BATCHES_A_TURN; i++) {
      const batch = await nextBatch(webhook, from, search, parts)
      if (signal.aborted || !isSure()) return
      if ('fault' in batch) return fail(webhook, from, { at: clock.now(), trouble: batch.fault }, false)
      if (batch.entries.length > 0) {
        const delivery = await deliver(webhook, from, search.name, batch, signal)
        if (signal.aborted) return
        if (delivery.trouble !== undefined) return fail(webhook, from, delivery, delivery.status === GONE)
        if (!(await progress(webhook, batch.cursor, delivery))) return
      } else if (batch.cursor - webhook.cursor >= REMEMBERED_EVERY) {
        if (!(await progress(webhook, batch.cursor, webhook.last))) return
      }
      const isStuck = batch.cursor === from
      from = batch.cursor
      looked.set(webhook.id, from)
      if (isStuck) restsUntil.set(webhook.id, clock.now() + LOOK_AGAIN_MS)
      if (batch.isLast) return
    }
  }

  async function deliver(
    { id: webhookId, name, url, secret }: Webhook,
    from: EntryId,
    search: string,
    { entries, cursor }: Batch,
    signal: AbortSignal,
  ): Promise<WebhookDelivery> {
    const at = clock.now()
    const id = `msg_${webhookId}_${from}_${cursor}`
    const data = { webhook: { id: webhookId, name }, search, entries }
    const text = JSON.stringify({ type: 'entries.found', timestamp: new Date(at).toISOString(), data })
    const answer = await net.post({
      url,
      headers: signedHeaders(id, at, text, secret),
      document: { type: 'application/json', text },
      maxBytes: MOST_ANSWER_BYTES,
      enoughBytes: MOST_ANSWER_BYTES,
      follows: () => false,
      signal,
    })
    if (!answer.ok) return { at, trouble: failureInWords(answer.failure) }
    const { status } = answer
    if (status >= 200 && status < 300) return { at, status }
    const leads = status >= 300 && status < 400 ? '; redirects are not followed' : ''
    return { at, status, trouble: `${failureInWords({ kind: 'http', status })}${leads}` }
  }

  function progress({ id }: Webhook, cursor: EntryId, last: WebhookDelivery | undefined): Promise<boolean> {
    const kept = { state: 'active' as const, dueAt: clock.now(), cursor, failures: 0, ...(last && { last }) }
    return handouts.recordDelivery(id, kept)
  }

  async function fail(webhook: Webhook, cursor: EntryId, last: WebhookDelivery, isFinal: boolean): Promise<void> {
    const failures = webhook.failures + 1
    const at: Instant | undefined = isFinal ? undefined : nextRetryAt(failures, clock.now(), random())
    const state = at === undefined ? 'failed' : 'active'
    const words = last.trouble ?? ''
    const trouble = at === undefined ? `given up after ${failures} failures: ${words}` : words
    const kept = { state, dueAt: at ?? clock.now(), cursor, failures, last: { ...last, trouble } } as const
    if (!(await handouts.recordDelivery(webhook.id, kept))) return
    const { id, name, url } = webhook
    onTrouble({ id, name, origin: originOf(url) }, words, at === undefined)
  }

  return {
    wake,
    async run(signal) {
      signal.addEventListener('abort', wake)
      while (!signal.aborted) {
        bell = Promise.withResolvers()
        const resting = new AbortController()
        await round(signal).catch((error: unknown) => onMistake(error, 'looking for webhooks that are due'))
        const soon = Math.min(clock.now() + LOOK_EVERY_MS, ...(await nextDates()))
        await Promise.race([bell.promise, clock.sleepUntil(soon, resting.signal)])
        resting.abort()
      }
      signal.removeEventListener('abort', wake)
      await Promise.all(busy.values())
    },
  }

  /** Of webhooks that are not due yet, or paused; the others wait for new entries. */
  async function nextDates(): Promise<Instant[]> {
    const at = await handouts.nextWebhookAt().catch(() => undefined)
    const now = clock.now()
    for (const [id, until] of restsUntil) if (until <= now) restsUntil.delete(id)
    return [...(at !== undefined && at > now ? [at] : []), ...restsUntil.values()]
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

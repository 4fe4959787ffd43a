/**
 * Sends batches to receivers. The id of a batch depends on its cursors, and its body stays in memory until it is accepted: so a receiver that
 * failed gets the same again.
 */
import {
  describeFailure,
  type EntryId,
  type Instant,
  setBounded,
  type Webhook,
  type WebhookDelivery,
} from '../model/index.ts'
import type { Clock, Net } from '../ports/index.ts'
import type { Batch } from '../views/index.ts'
import { signedHeaders } from './sign.ts'

/** Bodies of failed deliveries in memory, of half a megabyte at most. */
const MAX_BODIES = 50

export function createSender({ net, clock }: { net: Net; clock: Clock }) {
  const failedBodies = new Map<string, string>()

  return async function send(
    { id: webhookId, name, url, secret }: Webhook,
    from: EntryId,
    search: string,
    { entries, cursor, firstAt }: Batch & { firstAt?: Instant },
    signal: AbortSignal,
  ): Promise<WebhookDelivery> {
    const at = clock.now()
    const id = `msg_${webhookId}_${from}_${cursor}`
    const data = { webhook: { id: webhookId, name }, search, entries }
    const body = { type: 'entries.found', timestamp: new Date(firstAt ?? at).toISOString(), data }
    const text = failedBodies.get(id) ?? JSON.stringify(body)
    const fail = (trouble: string, status?: number): WebhookDelivery => {
      setBounded(failedBodies, id, text, MAX_BODIES)
      const ids = entries.map((entry) => entry.id as EntryId)
      const unaccepted = { from, cursor, ids, firstAt: firstAt ?? at }
      return { at, ...(status !== undefined && { status }), trouble, unaccepted }
    }
    const response = await net.post({
      url,
      headers: signedHeaders(id, at, text, secret),
      document: { type: 'application/json', text },
      shouldSkipBody: () => true, // only the status matters
      shouldFollow: () => false,
      signal,
    })
    if (!response.ok) return fail(describeFailure(response.failure))
    const { status } = response
    if (status >= 200 && status < 300) {
      failedBodies.delete(id)
      return { at, status }
    }
    const redirectNote = status >= 300 && status < 400 ? '; redirects are not followed' : ''
    return fail(`${describeFailure({ kind: 'http', status })}${redirectNote}`, status)
  }
}

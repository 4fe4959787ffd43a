/** Signs deliveries by Standard Webhooks 1.0, symmetric: the receiver computes the same from id, date and body, and compares. */
import { createHmac } from 'node:crypto'
import { type Instant, SECOND } from '../model/index.ts'

const SECRET_PREFIX = 'whsec_'

export function signedHeaders(id: string, at: Instant, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(at / SECOND))
  const key = secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

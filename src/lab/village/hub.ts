/**
 * The village's WebSub hub: accepts subscriptions at http://hub.localhost/, verifies them with the subscriber, and
 * distributes a feed's content on request; publishers ping it, too. Correct by default; tests can configure other
 * behavior.
 */
import { createHmac } from 'node:crypto'
import { type Instant, SECOND } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import { type Reply, textReply, type VillageRequest } from './reply.ts'

export interface VillageHub {
  /** Received requests, oldest first. */
  readonly requests: HubRequest[]
  /** Confirmed subscriptions with their deliveries, in order of arrival. */
  readonly subscriptions: HubRequest[]
  behavior: HubBehavior
  /** Sends requests to subscribers; over the network by default. */
  send: (url: string, init?: RequestInit) => Promise<Response>
  /** Distributes a topic's current content, or `content`, to its subscribers; returns their responses. */
  distribute(topic: string, content?: Partial<Distribution>): Promise<number[]>
}

export interface HubRequest {
  at: Instant
  mode: string
  topic: string
  callback: string
  secret: string
  leaseSeconds: string
}

export interface HubBehavior {
  /** False: it accepts subscriptions and never verifies them. */
  verifies: boolean
  /** The granted lease; the requested one by default. */
  leaseSeconds?: number
  /** Denies subscriptions with this reason. */
  denialReason?: string
  /** Status for subscriptions with this callback, instead of 202. */
  answers?: (url: string) => { status: number; headers?: Record<string, string> } | undefined
}

export interface Distribution {
  body: string
  method: 'sha1' | 'sha256' | 'sha384' | 'sha512'
  /** Instead of the correct signature; null sends none. */
  signature: string | null
}

export const HUB_HOST = 'hub.localhost'
const VERIFIES_AFTER_MS = SECOND

/** `show`: returns the current content of an address. */
export function createHub(clock: Clock, show: (url: string) => Reply | undefined) {
  const hub: VillageHub = {
    requests: [],
    subscriptions: [],
    behavior: { verifies: true },
    send: (url, init) => fetch(url, init),
    async distribute(topic, { body = bodyOf(show(topic)), method = 'sha256', signature } = {}) {
      const statuses: number[] = []
      for (const subscription of hub.subscriptions.filter((candidate) => candidate.topic === topic)) {
        const signed = `${method}=${createHmac(method, subscription.secret).update(body).digest('hex')}`
        const right = signature === undefined ? signed : signature
        const headers = {
          'content-type': 'application/rss+xml',
          link: `<http://${HUB_HOST}/>; rel="hub", <${topic}>; rel="self"`,
          ...(right !== null && { 'x-hub-signature': right }),
        }
        const { status } = await hub.send(subscription.callback, { method: 'POST', headers, body })
        if (status === 410) drop(subscription)
        statuses.push(status)
      }
      return statuses
    },
  }

  function drop({ callback, topic }: HubRequest): void {
    const at = hub.subscriptions.findIndex((other) => other.callback === callback && other.topic === topic)
    if (at >= 0) hub.subscriptions.splice(at, 1)
  }

  /** Verifies with the subscriber, which must repeat the challenge. */
  async function verify(request: HubRequest): Promise<void> {
    await clock.sleepUntil(clock.now() + VERIFIES_AFTER_MS)
    const { mode, topic, callback } = request
    const url = new URL(callback)
    const { denialReason, leaseSeconds = request.leaseSeconds } = hub.behavior
    const challenge = `challenge-${hub.requests.length}`
    const parameters: Record<string, string> = denialReason
      ? { mode: 'denied', topic, reason: denialReason }
      : { mode, topic, challenge, lease_seconds: String(leaseSeconds) }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(`hub.${name}`, value)
    const answer = await hub.send(url.href)
    if (denialReason || !answer.ok || (await answer.text()) !== challenge) return
    drop(request)
    if (mode === 'subscribe') hub.subscriptions.push(request)
  }

  /** Undefined if it is not a request to the hub. */
  function answer({ method, url, body = '' }: VillageRequest): Reply | undefined {
    if (URL.parse(url)?.hostname !== HUB_HOST) return undefined
    if (method !== 'POST') return textReply(405, 'The hub takes subscriptions.\n', { allow: 'POST' })
    const form = new URLSearchParams(body)
    const field = (name: string) => form.get(`hub.${name}`) ?? ''
    const request: HubRequest = {
      at: clock.now(),
      mode: field('mode'),
      topic: field('topic') || field('url'),
      callback: field('callback'),
      secret: field('secret'),
      leaseSeconds: field('lease_seconds'),
    }
    hub.requests.push(request)
    const { answers, verifies } = hub.behavior
    const instead = answers?.(url)
    if (instead) return textReply(instead.status, 'Not now.\n', instead.headers)
    if (request.mode === 'publish') return textReply(204, '')
    if (!URL.canParse(request.callback) || !request.topic) return textReply(400, 'Of what, and for whom?\n')
    if (verifies) void verify(request).catch(() => {}) // an unreachable subscriber is ignored
    return textReply(202, 'We shall see.\n')
  }

  return { hub, answer }
}

function bodyOf(reply: Reply | undefined): string {
  return reply ? Buffer.from(reply.body).toString() : ''
}

/**
 * The village's hub (WebSub): takes subscriptions at http://hub.localhost/, asks each subscriber whether it meant it, and
 * tells all of them what a feed shows when somebody says so; it is told, too, of what publishers have that is new. It keeps the rules, unless a test gives it other habits.
 */
import { createHmac } from 'node:crypto'
import { type Instant, SECOND } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import { type Reply, textReply, type VillageRequest } from './reply.ts'

export interface VillageHub {
  /** What it was asked for, oldest first. */
  readonly asked: HubRequest[]
  /** Those whose subscribers confirmed them, and what each was told; in the order of arrival. */
  readonly subscriptions: HubRequest[]
  habits: HubHabits
  /** How it gets to its subscribers; over the network, if nobody says otherwise. */
  reach: (url: string, init?: RequestInit) => Promise<Response>
  /** Tells the subscribers of a topic what it shows now, or what `content` says; gives their answers. */
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

export interface HubHabits {
  /** False: it takes subscriptions, and is never heard of again. */
  verifies: boolean
  /** The lease that it grants; that which was asked for, if it is not said. */
  leaseSeconds?: number
  /** It refuses, for that reason. */
  denies?: string
  /** What it answers to a subscription at that address, in the place of 202. */
  answers?: (url: string) => { status: number; headers?: Record<string, string> } | undefined
}

export interface Distribution {
  body: string
  method: 'sha1' | 'sha256' | 'sha384' | 'sha512'
  /** In the place of the right one; null sends none. */
  signature: string | null
}

export const HUB_HOST = 'hub.localhost'
const VERIFIES_AFTER_MS = SECOND

/** `show`: what stands at an address now. */
export function createHub(clock: Clock, show: (url: string) => Reply | undefined) {
  const hub: VillageHub = {
    asked: [],
    subscriptions: [],
    habits: { verifies: true },
    reach: (url, init) => fetch(url, init),
    async distribute(topic, { body = bodyOf(show(topic)), method = 'sha256', signature } = {}) {
      const statuses: number[] = []
      for (const subscription of hub.subscriptions.filter((one) => one.topic === topic)) {
        const signed = `${method}=${createHmac(method, subscription.secret).update(body).digest('hex')}`
        const right = signature === undefined ? signed : signature
        const headers = {
          'content-type': 'application/rss+xml',
          link: `<http://${HUB_HOST}/>; rel="hub", <${topic}>; rel="self"`,
          ...(right !== null && { 'x-hub-signature': right }),
        }
        const { status } = await hub.reach(subscription.callback, { method: 'POST', headers, body })
        if (status === 410) drop(subscription)
        statuses.push(status)
      }
      return statuses
    },
  }

  function drop({ callback, topic }: HubRequest): void {
    const at = hub.subscriptions.findIndex((one) => one.callback === callback && one.topic === topic)
    if (at >= 0) hub.subscriptions.splice(at, 1)
  }

  /** Asks the subscriber, and believes it only if it repeats the challenge. */
  async function verify(request: HubRequest): Promise<void> {
    await clock.sleepUntil(clock.now() + VERIFIES_AFTER_MS)
    const { mode, topic, callback } = request
    const url = new URL(callback)
    const { denies, leaseSeconds = request.leaseSeconds } = hub.habits
    const challenge = `challenge-${hub.asked.length}`
    const asked: Record<string, string> = denies
      ? { mode: 'denied', topic, reason: denies }
      : { mode, topic, challenge, lease_seconds: String(leaseSeconds) }
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(`hub.${name}`, value)
    const answer = await hub.reach(url.href)
    if (denies || !answer.ok || (await answer.text()) !== challenge) return
    drop(request)
    if (mode === 'subscribe') hub.subscriptions.push(request)
  }

  /** Undefined if it is no request to the hub. */
  function answer({ method, url, body = '' }: VillageRequest): Reply | undefined {
    if (URL.parse(url)?.hostname !== HUB_HOST) return undefined
    if (method !== 'POST') return textReply(405, 'The hub takes subscriptions.\n', { allow: 'POST' })
    const form = new URLSearchParams(body)
    const said = (name: string) => form.get(`hub.${name}`) ?? ''
    const request: HubRequest = {
      at: clock.now(),
      mode: said('mode'),
      topic: said('topic') || said('url'),
      callback: said('callback'),
      secret: said('secret'),
      leaseSeconds: said('lease_seconds'),
    }
    hub.asked.push(request)
    const { answers, verifies } = hub.habits
    const instead = answers?.(url)
    if (instead) return textReply(instead.status, 'Not now.\n', instead.headers)
    if (request.mode === 'publish') return textReply(204, '')
    if (!URL.canParse(request.callback) || !request.topic) return textReply(400, 'Of what, and for whom?\n')
    if (verifies) void verify(request).catch(() => {}) // a subscriber who cannot be reached is none
    return textReply(202, 'We shall see.\n')
  }

  return { hub, answer }
}

function bodyOf(reply: Reply | undefined): string {
  return reply ? Buffer.from(reply.body).toString() : ''
}

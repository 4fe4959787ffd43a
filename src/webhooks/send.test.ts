/** Which bodies of failed deliveries stay in memory, and when a delivery is accepted. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import type { EntryId, Webhook, WebhookId } from '../model/index.ts'
import { createHttpNet } from '../net/index.ts'
import type { Net, NetPost } from '../ports/index.ts'
import { createSender } from './send.ts'

it('holds the bodies of the last fifty failed deliveries', async () => {
  const bodies: string[] = []
  const net: Net = {
    get: () => Promise.reject(new Error('nothing is fetched')),
    async post(request: NetPost) {
      bodies.push('document' in request ? request.document.text : '')
      return { ok: false, failure: { kind: 'timeout' } }
    },
    close: async () => {},
  }
  const send = createSender({ net, clock: createSteppedClock(0) })
  const webhook = (id: number) =>
    ({ id: id as WebhookId, name: 'hook', url: 'https://a.example/', secret: 'whsec_eA==' }) as Webhook
  const deliver = (id: number, title: string) => {
    const batch = { entries: [{ id: 1, title } as never], cursor: 1 as EntryId, isLast: true }
    return send(webhook(id), 0 as EntryId, 'Floods', batch, new AbortController().signal)
  }
  for (let id = 1; id <= 51; id++) await deliver(id, 'first')
  await deliver(51, 'later')
  await deliver(1, 'later')
  expect(bodies.slice(-2).map((body) => /first|later/.exec(body)![0])).toEqual(['first', 'later'])
})

it('accepts a delivery by its status, however long the response is', async () => {
  const receiver = createServer((_, response) => response.end('x'.repeat(1_000_000)))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const net = createHttpNet({ userAgent: 'test', allowNetworks: ['127.0.0.0/8'] })
  const send = createSender({ net, clock: createSteppedClock(0) })
  const { port } = receiver.address() as AddressInfo
  const webhook = {
    id: 1 as WebhookId,
    name: 'hook',
    url: `http://127.0.0.1:${port}/`,
    secret: 'whsec_eA==',
  } as Webhook
  const batch = { entries: [{ id: 1 } as never], cursor: 1 as EntryId, isLast: true }
  const delivery = await send(webhook, 0 as EntryId, 'Floods', batch, new AbortController().signal)
  expect(delivery).toEqual({ at: 0, status: 200 })
  await net.close()
  receiver.close()
})

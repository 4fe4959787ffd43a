/** Which bodies of failed deliveries stay in memory. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import type { EntryId, Webhook, WebhookId } from '../model/index.ts'
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

import { zstdCompressSync } from 'node:zlib'
import * as core from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import type { Delivery } from './delivery.ts'
import { createPayloads, MAX_PAYLOAD_BYTES } from './payload.ts'

const nowhere = () => Promise.reject(new Error('there is no object store'))
const delivery = (data: Uint8Array, headers: Record<string, string>) =>
  ({ data, header: (name: string) => headers[name] }) as unknown as Delivery

it('rejects a message that decompresses to too much', async () => {
  const payloads = createPayloads({ core }, nowhere)
  const bomb = zstdCompressSync(Buffer.alloc(MAX_PAYLOAD_BYTES + 1, 0x20))
  expect(bomb.length).toBeLessThan(100_000)
  const packed = delivery(bomb, { 'Freshet-Payload': '1', 'Freshet-Packed': 'zstd' })
  await expect(payloads.unpack(packed)).rejects.toThrow(/larger|size|length/i)
})

it('compresses large messages, and restores them', async () => {
  const payloads = createPayloads({ core }, nowhere)
  const text = JSON.stringify({ words: 'né '.repeat(10_000) })
  const { data, headers, object } = await payloads.pack(text, 'x', 'somebody')
  expect([data.length < 1000, object]).toEqual([true, undefined])
  const headerValues = Object.fromEntries([...headers].map(([name, [value = '']]) => [name, value]))
  expect(await payloads.unpack(delivery(data, headerValues))).toEqual(JSON.parse(text))
})

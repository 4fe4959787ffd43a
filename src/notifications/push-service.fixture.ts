/** A push service on loopback, and the browsers that have subscribed there. It checks each sender, and decrypts each message. */
import { createECDH, type ECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushMessage } from './compose-messages.ts'
import { decryptPushMessage, vapidClaims } from './receive-push.fixture.ts'

export interface ReceivedPush {
  browser: string
  message: PushMessage
  headers: Record<string, string | string[] | undefined>
  claims: ReturnType<typeof vapidClaims>
}

export async function startPushService() {
  const browsers = new Map<string, { pair: ECDH; auth: string }>()
  const received: ReceivedPush[] = []
  /** The next answers; 201 when there are none. */
  const answers: (number | 'close')[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = answers.shift() ?? 201
      if (answer === 'close') return request.socket.destroy()
      const browser = request.url!.slice(1)
      const { pair, auth } = browsers.get(browser)!
      const body = Buffer.concat(chunks)
      if (answer === 201)
        received.push({
          browser,
          message: JSON.parse(decryptPushMessage(body, pair, auth)),
          headers: request.headers,
          claims: vapidClaims(String(request.headers.authorization)),
        })
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    received,
    answers,
    /** A subscription, as a browser returns it. */
    subscribe(browser: string) {
      const [pair, auth] = [createECDH('prime256v1'), randomBytes(16).toString('base64url')]
      const p256dh = pair.generateKeys('base64url')
      browsers.set(browser, { pair, auth })
      return { name: browser, endpoint: `${url}/${browser}`, keys: { p256dh, auth } }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

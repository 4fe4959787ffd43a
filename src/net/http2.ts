/** One request over HTTP/2, on its own connection, for servers that support nothing else. */
import { connect, constants } from 'node:http2'
import type { Socket } from 'node:net'
import type { Millis } from '../model/index.ts'
import type { Lifetime } from './lifetime.ts'
import { NetError } from './net-error.ts'
import { plainHeaders, type Received, type ResponseHead } from './response-head.ts'
import type { SentBody } from './sent-body.ts'

export function requestOverHttp2(
  socket: Socket,
  url: URL,
  { host, ...headers }: Record<string, string>,
  limits: { firstByteMs: Millis; maxHeaderBytes: number },
  lifetime: Lifetime,
  sent?: SentBody,
): Promise<ResponseHead> {
  return new Promise((resolve, reject) => {
    const settings = { enablePush: false, maxHeaderListSize: limits.maxHeaderBytes }
    const session = connect(url.origin, { createConnection: () => socket, settings })
    const stopLimit = lifetime.limit(limits.firstByteMs, 'answer')
    const method = sent?.method ?? 'GET'
    const options = { endStream: sent === undefined }
    const stream = session.request({ ':method': method, ':path': `${url.pathname}${url.search}`, ...headers }, options)
    if (sent) stream.end(sent.content)
    const removeListener = lifetime.onEnd((error) => stream.destroy(error))
    stream.once('response', (response) => {
      removeListener()
      stopLimit()
      const isWhole = () => stream.rstCode === constants.NGHTTP2_NO_ERROR
      const headers = plainHeaders(response)
      if (bytesOf(headers) > limits.maxHeaderBytes) {
        stream.destroy(new NetError('too-large', 'the headers are too large'))
        return
      }
      const address = socket.remoteAddress
      const received = (): Received => ({
        headers: Object.entries(headers),
        protocol: 'h2',
        ...(address && { address }),
      })
      resolve({ status: response[':status'] ?? 0, headers, body: stream, isWhole, received })
    })
    const fail = (error: Error) => {
      removeListener()
      stopLimit()
      reject(error)
    }
    stream.on('error', fail)
    session.on('error', fail)
    stream.once('close', () => {
      session.destroy()
      fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    })
  })
}

/** The setting above is only advisory; Node itself limits headers to 64 KB and 128 fields. */
function bytesOf(headers: Record<string, string>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
}

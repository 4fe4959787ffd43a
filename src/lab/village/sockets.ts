/**
 * The village on loopback sockets. Slow and endless responses really are, up to `MAX_SEND_MS` or `MAX_BYTES`, so that
 * unclosed connections end.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply, VillageRequest } from './reply.ts'

export interface VillageSocket {
  port: number
  /** Ends every connection. */
  close(): Promise<void>
}

const MAX_SEND_MS = 120_000
const MAX_BYTES = 256 * 2 ** 20
const SLOW_EVERY_MS = 250
const SLOW_BYTES = 8
const MAX_FORM_BYTES = 64 * 1024

export async function openVillageSocket(
  visit: (request: VillageRequest) => Reply | undefined,
  { port = 0, host = '127.0.0.1' }: { port?: number; host?: string },
): Promise<VillageSocket> {
  const server = createServer((request, response) => {
    const answer = (body?: string) => send(visit(readRequest(request, body)) ?? NO_SUCH_HOST, request, response)
    if (request.method === 'POST') readForm(request).then(answer, () => request.socket.destroy())
    else {
      request.resume() // the request body is discarded
      answer()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const NO_SUCH_HOST: Reply = {
  status: 421,
  headers: { 'content-type': 'text/plain' },
  body: 'No such place in the village.\n',
  manner: 'plain',
}

/** Only the hub receives bodies, and short ones. */
async function readForm(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_FORM_BYTES) throw new Error('the form is too long')
  }
  return text
}

function readRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body?: string): VillageRequest {
  const flat = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  const posted = body === undefined ? {} : { body }
  return { method, url: `http://${headers.host}${url}`, headers: Object.fromEntries(flat), ...posted }
}

function send(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  const ends = reply.manner !== 'endless'
  response.sendDate = false // replaced by the village's
  if (reply.manner === 'reset') {
    request.socket.resetAndDestroy()
    return
  }
  if (reply.status !== 304 && ends) response.setHeader('content-length', body.length)
  response.writeHead(reply.status, reply.headers)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  switch (reply.manner) {
    case 'plain':
      response.end(body)
      return
    case 'cut':
      response.write(body.subarray(0, body.length >> 1), () => request.socket.destroy())
      return
    case 'slow':
      dribble(body, response)
      return
    case 'endless':
      pour(body, response)
  }
}

function dribble(body: Uint8Array, response: ServerResponse): void {
  let sent = 0
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + SLOW_BYTES))
    sent += SLOW_BYTES
    if (sent >= body.length || (sent / SLOW_BYTES) * SLOW_EVERY_MS > MAX_SEND_MS) response.destroy()
  }, SLOW_EVERY_MS)
  response.on('close', () => clearInterval(timer))
}

/** Sends the body repeatedly, as fast as it is received. */
function pour(body: Uint8Array, response: ServerResponse): void {
  let sent = 0
  const timer = setTimeout(() => response.destroy(), MAX_SEND_MS)
  response.on('close', () => clearTimeout(timer))
  const sendMore = (): void => {
    while (sent < MAX_BYTES && !response.destroyed) {
      sent += body.length
      if (!response.write(body)) return
    }
    response.end()
  }
  response.on('drain', sendMore)
  sendMore()
}

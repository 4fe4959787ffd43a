/** The HTTP socket: opening it, error messages if that fails, and closing it within a time limit. */
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { SECOND } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { ServerError } from './server-error.ts'

export interface ServerSocket {
  url: string
  /** The address to create the first account, if other machines can reach the server and there are no accounts. */
  setUpUrl?: string
  close(): Promise<void>
}

interface Socket {
  fetch: (request: Request, environment: object) => Response | Promise<Response>
  host: string
  /** The resolved host. */
  address: string
  port: number
  clock: Clock
}

/** How long requests in flight may continue after the server starts closing. */
const GRACE_MS = 2 * SECOND
/** Longer than clients and proxies keep idle connections: a request on one that the server has just closed would fail. */
const KEEP_ALIVE_MS = 75 * SECOND

export async function listen({ fetch, host, address, port, clock }: Socket): Promise<ServerSocket> {
  // The adaptor would replace the global Request and Response, which other code in this process uses.
  const server = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    autoCleanupIncoming: false, // it would read up to 64 MB of an unused body
  }) as HttpServer
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('prefinish', () => endUnread(incoming))
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toServerError(error, host, port)))
    server.listen(port, address, () => {
      const bound = server.address() as AddressInfo
      resolve({ url: urlOf(host, bound.port), close: () => close(server, clock) })
    })
  })
}

/** How long a client may read a response that was sent before its request body arrived. */
const LINGER_MS = 500
const MAX_DISCARDED_BYTES = 1024 * 1024

/**
 * Handles the unread rest of a body once the request is answered. A small rest is read and discarded, so the connection can be reused. A
 * large rest is not read, to save memory: the connection is closed, but not at once, or the response would be lost.
 */
function endUnread(incoming: IncomingMessage): void {
  if (incoming.complete) return
  const declaredBytes = Number(incoming.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (declaredBytes <= MAX_DISCARDED_BYTES) incoming.resume()
  else incoming.read(0) // marks the body as being read: Node would otherwise drain it
  const timer = setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroy()
  }, LINGER_MS)
  timer.unref()
}

async function close(server: HttpServer, clock: Clock): Promise<void> {
  const graceTimer = new AbortController()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await Promise.race([closed, clock.sleepUntil(clock.now() + GRACE_MS, graceTimer.signal)])
  graceTimer.abort()
  server.closeAllConnections()
  await closed
}

function toServerError(error: NodeJS.ErrnoException, host: string, port: number): ServerError {
  const target = `port ${port} on ${host}`
  switch (error.code) {
    case 'EADDRINUSE':
      return new ServerError(`${target} is in use`, 'stop the other program or choose another with --port', {
        cause: error,
      })
    case 'EACCES':
      return new ServerError(`no permission to open ${target}`, 'choose one above 1023 with --port', { cause: error })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ServerError(`${host} is not an address of this machine`, 'choose another with --host', {
        cause: error,
      })
    default:
      return new ServerError(`${target} cannot be opened: ${error.message}`, 'choose others with --host and --port', {
        cause: error,
      })
  }
}

/** A URL that a browser on this machine can open, even if the server listens on all addresses. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' || host === '[::]' ? '::1' : host
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`
}

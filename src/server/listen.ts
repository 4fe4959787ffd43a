/** The socket under the app: how it is opened, what is said when it cannot be, and how it is closed within a bound. */
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { SECOND } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { ServerError } from './server-error.ts'

export interface ServerSocket {
  url: string
  /** Where the first account is made, once and soon, if others can reach the server and there is none. */
  setUpUrl?: string
  close(): Promise<void>
}

interface Socket {
  fetch: (request: Request, environment: object) => Response | Promise<Response>
  host: string
  /** That the host stands for. */
  address: string
  port: number
  clock: Clock
}

/** For how long requests that are being answered may go on when the server closes. */
const GRACE_MS = 2 * SECOND

export async function listen({ fetch, host, address, port, clock }: Socket): Promise<ServerSocket> {
  // The adaptor would replace Request and Response of the whole process; others fetch in here too.
  const server = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    autoCleanupIncoming: false, // it would read up to 64 MB of a body that nobody wants
  }) as HttpServer
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('prefinish', () => endUnread(incoming))
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(inWords(error, host, port)))
    server.listen(port, address, () => {
      const bound = server.address() as AddressInfo
      resolve({ url: urlOf(host, bound.port), close: () => close(server, clock) })
    })
  })
}

/** For how long a client may read the answer that came before its body was sent. */
const LINGER_MS = 500
const MOST_DISCARDED_BYTES = 1024 * 1024

/**
 * What is left of a body when its request has been answered: a little is read and thrown away, so that the connection can be used again.
 * Of more nothing is read, so that it takes no memory; the connection is closed, but not at once, or the answer would be lost with it.
 */
function endUnread(incoming: IncomingMessage): void {
  if (incoming.complete) return
  const announced = Number(incoming.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (announced <= MOST_DISCARDED_BYTES) incoming.resume()
  else incoming.read(0) // counts as begun: Node reads to the end of what nobody began to read
  const timer = setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroy()
  }, LINGER_MS)
  timer.unref()
}

async function close(server: HttpServer, clock: Clock): Promise<void> {
  const patience = new AbortController()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await Promise.race([closed, clock.sleepUntil(clock.now() + GRACE_MS, patience.signal)])
  patience.abort()
  server.closeAllConnections()
  await closed
}

function inWords(error: NodeJS.ErrnoException, host: string, port: number): ServerError {
  const where = `port ${port} on ${host}`
  switch (error.code) {
    case 'EADDRINUSE':
      return new ServerError(`${where} is in use`, 'stop the other program or choose another with --port', {
        cause: error,
      })
    case 'EACCES':
      return new ServerError(`we may not open ${where}`, 'choose one above 1023 with --port', { cause: error })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ServerError(`${host} is no address of this machine`, 'choose another with --host', { cause: error })
    default:
      return new ServerError(`${where} cannot be opened: ${error.message}`, 'choose others with --host and --port', {
        cause: error,
      })
  }
}

/** What a browser on this machine can open, also where we listen on all addresses. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' || host === '[::]' ? '::1' : host
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`
}

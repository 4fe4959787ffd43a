/** The socket under the app: how it is opened, what is said when it cannot be, and how it is closed within a bound. */
import type { Server as HttpServer } from 'node:http'
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
  fetch: (request: Request) => Response | Promise<Response>
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
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as HttpServer
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(inWords(error, host, port)))
    server.listen(port, address, () => {
      const bound = server.address() as AddressInfo
      resolve({ url: urlOf(host, bound.port), close: () => close(server, clock) })
    })
  })
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

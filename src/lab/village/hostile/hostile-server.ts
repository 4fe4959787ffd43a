/**
 * Serves the hostile sites on one loopback port: each host is answered by its own script. Node's server parses the
 * requests; responses are written directly to the socket.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Instant, type WebAddress, webAddress } from '../../../model/index.ts'
import type { HostileSite } from './site.ts'

export interface HostileServer {
  port: number
  feedUrl(site: HostileSite): WebAddress
  /** Requests to a host, oldest first. */
  requestsTo(name: string): { path: string; headers: Record<string, string> }[]
  close(): Promise<void>
}

export async function openHostileServer(sites: readonly HostileSite[], now: () => Instant): Promise<HostileServer> {
  const scripts = new Map(sites.map(({ name, script }) => [name, script]))
  const requests = new Map<string, { path: string; headers: Record<string, string> }[]>()
  const server = createServer({ maxHeaderSize: 64_000 }, (request) => {
    const { socket, url: path = '/' } = request
    const headers = request.headers as Record<string, string>
    const [name = ''] = (headers.host ?? '').split('.localhost')
    const before = requests.get(name) ?? []
    requests.set(name, [...before, { path, headers }])
    const { port } = server.address() as AddressInfo
    const reply = scripts.get(name)?.({ path, headers, index: before.length, at: now(), port, socket })
    if (reply !== undefined) socket.end(reply)
  })
  server.on('connection', (socket) => socket.on('error', () => {})) // the client closed the connection
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    feedUrl: ({ name }) => webAddress(`http://${name}.localhost:${port}/feed`)!,
    requestsTo: (name) => requests.get(name) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Test servers on loopback, each on its own port. They send bytes, not HTTP, so that they can be as broken as real servers. The script is
 * called for each request, with a count over all connections.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

export interface RawRequest {
  /** The whole head, as received. */
  head: string
  /** The path of the first line. */
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** The posted body; empty for a GET. */
  body: string
  /** The number of earlier requests. */
  index: number
  socket: Socket
}

export type RawScript = (request: RawRequest) => string | Uint8Array | undefined

export interface RawServer extends AsyncDisposable {
  port: number
  origin: string
  requests: RawRequest[]
  connections: number
}

/** The script's return value is written to the socket; the script may also use the socket itself. */
export async function serveRaw(
  script: RawScript,
  options: { tls?: TlsOptions; host?: string } = {},
): Promise<RawServer> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  function onConnection(socket: Socket): void {
    connections++
    sockets.add(socket)
    let received = ''
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = parseHead(received.slice(0, end))
        const bodyEnd = end + 4 + Number(head.headers['content-length'] ?? 0)
        if (received.length < bodyEnd) return
        const request = { ...head, body: received.slice(end + 4, bodyEnd), index: requests.length, socket }
        received = received.slice(bodyEnd)
        requests.push(request)
        const rawAnswer = script(request)
        if (rawAnswer !== undefined && !socket.destroyed) socket.write(rawAnswer)
      }
    })
  }

  const server: Server = options.tls ? createTlsServer(options.tls, onConnection) : createServer(onConnection)
  server.on('tlsClientError', () => {})
  server.listen(0, options.host ?? '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    port,
    origin: `${options.tls ? 'https' : 'http'}://localhost:${port}`,
    requests,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A well-formed response; adds `content-length` unless given. */
export function answer(status: number, headers: Record<string, string> = {}, body: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(body as string)
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} x\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

function parseHead(head: string): Pick<RawRequest, 'head' | 'path' | 'headers'> {
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ])
  return { head, path: first.split(' ')[1] ?? '', headers: Object.fromEntries(headers) }
}

/** Responds as a proxy does to CONNECT, and connects to this local port. */
export function tunnelTo(port: number): RawScript {
  return ({ socket }) => {
    const onward: Socket = connect(port, '127.0.0.1')
    socket.removeAllListeners('data')
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    return undefined
  }
}

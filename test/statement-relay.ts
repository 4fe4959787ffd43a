/**
 * A relay before PostgreSQL that cuts connections at the n-th statement: before the server hears it, or after it has carried it out and before the
 * client hears so. All connections are cut, and new ones refused for a while, as by a server that is restarted.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface StatementRelay {
  port: number
  /** At the n-th statement from now on; resolves when that has happened. */
  cutAt(nth: number, moment: 'before' | 'after', refusedMs?: number): Promise<void>
  close(): Promise<void>
}

const [QUERY, PARSE] = ['Q'.charCodeAt(0), 'P'.charCodeAt(0)]
const HEADER_BYTES = 4

/** Says of what a client sends how many statements begin in it. The first message of a connection has no type. */
function statementCounter(): (bytes: Buffer) => number {
  let rest = Buffer.alloc(0)
  let hasBegun = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    let found = 0
    for (;;) {
      const typeBytes = hasBegun ? 1 : 0
      if (rest.length < typeBytes + HEADER_BYTES) return found
      const length = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < length) return found
      if (hasBegun && (rest[0] === QUERY || rest[0] === PARSE)) found++
      hasBegun = true
      rest = rest.subarray(length)
    }
  }
}

export async function startStatementRelay(toPort: number): Promise<StatementRelay> {
  const sockets = new Set<Socket>()
  let plan: { left: number; moment: 'before' | 'after'; refusedMs: number; done: () => void } | undefined
  let refusedUntil = 0

  function cutAll(): void {
    refusedUntil = performance.now() + (plan?.refusedMs ?? 0)
    plan?.done()
    plan = undefined
    for (const socket of sockets) socket.destroy()
  }

  const server = createServer((near) => {
    if (performance.now() < refusedUntil) return void near.destroy()
    const far = connect(toPort, '127.0.0.1')
    const count = statementCounter()
    let isLast = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      const statements = count(bytes)
      if (plan) plan.left -= statements
      const isDue = plan !== undefined && plan.left <= 0
      if (isDue && plan?.moment === 'before') return cutAll()
      isLast ||= isDue
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (isLast && plan) cutAll()
      else near.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutAt: (nth, moment, refusedMs = 0) =>
      new Promise((resolve) => {
        plan = { left: nth, moment, refusedMs, done: resolve }
      }),
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * A relay in front of PostgreSQL that cuts all connections at a chosen statement, either before the server receives it or after it was
 * executed and before the client gets the reply. New connections are refused for a while, as during a restart.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface StatementRelay {
  port: number
  /** At the n-th statement from now on; resolves when that has happened. */
  cutAt(nth: number, moment: 'before' | 'after', refusedMs?: number): Promise<void>
  /** Right after the COMMIT of the next transaction that has a statement with this text; resolves when that has happened. */
  cutAfterCommitOf(text: string, refusedMs?: number): Promise<void>
  close(): Promise<void>
}

interface Plan {
  /** Whether to cut now, given the statements that a connection has just sent. */
  isDue(statements: string[], connection: object): boolean
  moment: 'before' | 'after'
  refusedMs: number
  done: () => void
}

const [QUERY, PARSE] = ['Q'.charCodeAt(0), 'P'.charCodeAt(0)]
const HEADER_BYTES = 4

/** Finds the statements that are complete in a client's data. The first message of a connection has no type. */
function statementReader(): (bytes: Buffer) => string[] {
  let rest = Buffer.alloc(0)
  let hasBegun = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const found: string[] = []
    for (;;) {
      const typeBytes = hasBegun ? 1 : 0
      if (rest.length < typeBytes + HEADER_BYTES) return found
      const length = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < length) return found
      if (hasBegun && (rest[0] === QUERY || rest[0] === PARSE)) {
        found.push(rest.toString('utf8', typeBytes + HEADER_BYTES, length))
      }
      hasBegun = true
      rest = rest.subarray(length)
    }
  }
}

export async function startStatementRelay(toPort: number): Promise<StatementRelay> {
  const sockets = new Set<Socket>()
  let plan: Plan | undefined
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
    const read = statementReader()
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
      const isDue = plan?.isDue(read(bytes), near) ?? false
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
  const cut = (planned: Omit<Plan, 'done'>) =>
    new Promise<void>((resolve) => {
      plan = { ...planned, done: resolve }
    })
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutAt(nth, moment, refusedMs = 0) {
      let left = nth
      const isDue = (statements: string[]) => {
        left -= statements.length
        return left <= 0
      }
      return cut({ isDue, moment, refusedMs })
    },
    cutAfterCommitOf(text, refusedMs = 0) {
      let writing: object | undefined
      const isDue = (statements: string[], connection: object) => {
        if (statements.some((one) => one.includes(text))) writing = connection
        return connection === writing && statements.some((one) => /\bcommit\b/i.test(one))
      }
      return cut({ isDue, moment: 'after', refusedMs })
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

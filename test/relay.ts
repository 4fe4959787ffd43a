/**
 * A TCP relay on loopback that can be cut: open connections then neither deliver nor close, as with an unplugged cable. After it is joined
 * again it carries new connections; old ones are gone.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface Relay {
  port: number
  cut(): void
  join(): void
  close(): Promise<void>
}

/** On a free port, or on the port of an earlier relay. */
export async function startRelay(toPort: number, port = 0): Promise<Relay> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => {})
    near.on('close', () => sockets.delete(near))
    if (isCut) return
    const far = connect(toPort, '127.0.0.1')
    sockets.add(far)
    far.on('error', () => near.destroy())
    far.on('close', () => {
      sockets.delete(far)
      if (!isCut) near.destroy()
    })
    near.on('close', () => {
      if (!isCut) far.destroy()
    })
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      isCut = true
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
    join() {
      isCut = false
      for (const socket of sockets) socket.destroy()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * Finds a port for another program's server, which binds it seconds later, and again after a restart. Below the ephemeral range, because
 * the system could give a port in that range to an outgoing connection before the server binds it.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST = 15_000
const LAST = 32_000

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen(port, '127.0.0.1')
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

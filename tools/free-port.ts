/**
 * A port for a server of another program, which takes it seconds from now, and again after it was killed. Below those that systems lend
 * to whoever connects: one that was free when it was asked for may be lent to somebody before the server is there.
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

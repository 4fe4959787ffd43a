/**
 * The hostile sites of the village and a name server that points into private networks; sends their ports. What takes long to generate,
 * such as decompression bombs, is requested once before, so that the measurement does not include it.
 */
import { connect } from 'node:net'
import { HOSTILE_SITES, openHostileServer, PRIVATE_NAMES } from '../../src/lab/index.ts'
import { serveDns } from '../../src/net/dns-server.fixture.ts'

await makeAll()
const quarter = await openHostileServer(HOSTILE_SITES, Date.now)
const dns = await serveDns((name) => PRIVATE_NAMES[name] ?? [])
process.send?.({ port: quarter.port, dns: dns.address })
process.once('disconnect', () => process.exit())

async function makeAll(): Promise<void> {
  const rehearsal = await openHostileServer(HOSTILE_SITES, Date.now)
  for (const { name, isSlow } of HOSTILE_SITES) {
    if (isSlow) continue
    const socket = connect(rehearsal.port, '127.0.0.1', () =>
      socket.write(`GET /feed HTTP/1.1\r\nhost: ${name}.localhost\r\n\r\n`),
    )
    socket.once('data', () => socket.destroy()).on('error', () => {})
    await new Promise((resolve) => socket.once('close', resolve))
  }
  await rehearsal.close()
}

import { afterAll, beforeAll, describe } from 'vitest'
import { NATS_BINARY, type NatsServer, startNatsServer, WITHOUT_NATS } from '../../test/nats-server.ts'
import { fleetContract } from '../ports/fleet.contract.ts'
import { connectNats } from '../queues/nats/connection.ts'
import { createInProcessFleet } from './in-process.ts'
import { createNatsFleet } from './nats-fleet.ts'

const clockAhead = (ms: number) => ({ now: () => Date.now() + ms })

fleetContract('in one process', async () => {
  const join = createInProcessFleet()
  return async (ahead = 0) => join(clockAhead(ahead))
})

describe.skipIf(!NATS_BINARY)(`over NATS${WITHOUT_NATS}`, () => {
  let server: NatsServer
  let fleetCount = 0
  beforeAll(async () => {
    server = await startNatsServer()
  })
  afterAll(() => server?.close())

  fleetContract('NATS', async () => {
    const queueName = `fleet${++fleetCount}`
    return async (ahead = 0) => {
      const link = await connectNats({ servers: [server.url], name: 'one' })
      const fleet = createNatsFleet({ link, queueName, clock: clockAhead(ahead), askMs: 300 })
      await link.nc.flush()
      return {
        ...fleet,
        async close() {
          await fleet.close()
          await link.close()
        },
      }
    }
  })
})

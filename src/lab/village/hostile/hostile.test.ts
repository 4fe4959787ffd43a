import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSteppedClock } from '../../../clocks/index.ts'
import { type DnsServer, serveDns } from '../../../net/dns-server.fixture.ts'
import { createHttpNet } from '../../../net/index.ts'
import type { Net } from '../../../ports/index.ts'
import { crawlHostileSite } from './crawl-site.ts'
import { type HostileServer, openHostileServer } from './hostile-server.ts'
import { PRIVATE_NAMES } from './redirects.ts'
import { HOSTILE_SITES } from './sites.ts'

const clock = createSteppedClock(Date.UTC(2030, 2, 6, 15, 30))

let quarter: HostileServer
let dns: DnsServer
let nets: { usual: Net; impatient: Net }

beforeAll(async () => {
  quarter = await openHostileServer(HOSTILE_SITES, clock.now)
  dns = await serveDns((name) => PRIVATE_NAMES[name] ?? [])
  const options = { userAgent: 'lab/1', allowNetworks: ['127.0.0.1/32'], dnsServers: [dns.address] }
  nets = { usual: createHttpNet(options), impatient: createHttpNet({ ...options, timeouts: { totalMs: 1000 } }) }
})
afterAll(async () => {
  await Promise.all([nets.usual.close(), nets.impatient.close()])
  await quarter.close()
  await dns[Symbol.asyncDispose]()
})

test('hostile sites have unique names', () => {
  const names = HOSTILE_SITES.map(({ name }) => name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

describe('a hostile site', () => {
  for (const site of HOSTILE_SITES) {
    const { behavior, expect: expected, isSlow } = site
    const run = isSlow ? test.concurrent : test // they mostly wait
    run(`${behavior}: ${expected}`, async () => {
      const verdict = await crawlHostileSite(site, quarter, isSlow ? nets.impatient : nets.usual, clock)
      expect(verdict).toMatchObject({ polls: site.polls, ...site.after })
    })
  }
})

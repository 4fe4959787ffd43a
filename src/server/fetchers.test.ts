import { expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { SeenMember } from '../ports/index.ts'
import type { FleetMembers } from '../views/index.ts'

const seen = { version: '0.1.0', startedAt: NOW - 60_000, seenAt: NOW - 1000, aheadMs: 0.4 }

it('tells of all processes of a fleet, who is set aside, and whose clock is off', async () => {
  const members = (): SeenMember[] => [
    { role: 'controller', name: 'c1', ...seen, buckets: 256, aside: [{ name: 't2', why: 'nonsense', until: NOW + 9 }] },
    { role: 'fetcher', name: 't1', ...seen, hands: 16, load: 3, performed: 99, region: 'north' },
    { role: 'fetcher', name: 't2', ...seen, aheadMs: 3_600_000, hands: 16, load: 0, performed: 7 },
    { role: 'indexer', name: 'k1', ...seen, duties: ['index', 'market'] },
  ]
  const { app } = createServerFixture({ members })
  const answer = (await (await app.request('/api/v1/terminals')).json()) as FleetMembers
  expect(answer.terminals).toMatchObject([
    { name: 't1', region: 'north', hands: 16, load: 3, performed: 99, clockAheadMs: 0 },
    { name: 't2', clockAheadMs: 3_600_000, aside: { why: 'nonsense', until: new Date(NOW + 9).toISOString() } },
  ])
  expect(answer.others.map(({ role }) => role)).toEqual(['controller', 'indexer'])
  const text = await (await app.request('/metrics')).text()
  expect(text).toContain('freshet_fetchers{state="active"} 1')
  expect(text).toContain('freshet_fetcher_slots 32')
})

it('is the only terminal where everything is one process', async () => {
  const { app } = createServerFixture({ hands: 32 })
  const { terminals, others } = (await (await app.request('/api/v1/terminals')).json()) as FleetMembers
  expect([terminals, others]).toMatchObject([[{ name: 'this process', hands: 32, load: 0 }], []])
})

import { expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { SeenMember } from '../ports/index.ts'
import type { FleetMembers } from '../views/index.ts'

const common = { version: '0.1.0', startedAt: NOW - 60_000, seenAt: NOW - 1000, aheadMs: 0.4 }

it('lists all processes of a fleet, with quarantine and clock offsets', async () => {
  const fleetMembers = (): SeenMember[] => [
    {
      role: 'controller',
      name: 'c1',
      ...common,
      buckets: 256,
      quarantined: [{ name: 't2', reason: 'nonsense', until: NOW + 9 }],
    },
    { role: 'fetcher', name: 't1', ...common, slots: 16, activeTasks: 3, completedTasks: 99, region: 'north' },
    { role: 'fetcher', name: 't2', ...common, aheadMs: 3_600_000, slots: 16, activeTasks: 0, completedTasks: 7 },
    { role: 'indexer', name: 'k1', ...common, leaderTasks: ['index', 'market'] },
  ]
  const { app } = createServerFixture({ fleetMembers })
  const answer = (await (await app.request('/api/v1/fetchers')).json()) as FleetMembers
  expect(answer.fetchers).toMatchObject([
    { name: 't1', region: 'north', slots: 16, activeTasks: 3, completedTasks: 99, clockAheadMs: 0 },
    { name: 't2', clockAheadMs: 3_600_000, quarantine: { reason: 'nonsense', until: new Date(NOW + 9).toISOString() } },
  ])
  expect(answer.others.map(({ role }) => role)).toEqual(['controller', 'indexer'])
  const text = await (await app.request('/metrics')).text()
  expect(text).toContain('freshet_fetchers{state="active"} 1')
  expect(text).toContain('freshet_fetcher_slots 32')
})

it('lists this process as the only fetcher without a fleet', async () => {
  const { app } = createServerFixture({ slots: 32 })
  const { fetchers, others } = (await (await app.request('/api/v1/fetchers')).json()) as FleetMembers
  expect([fetchers, others]).toMatchObject([[{ name: 'this process', slots: 32, activeTasks: 0 }], []])
})

/** The fleet on the screen of `freshet top`. */
import { expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { StatusShape } from '../api/index.ts'
import type { FleetMembers } from '../views/index.ts'
import { renderScreen, withFleet, withStatus } from './top-screen.ts'

const seen = { version: '0.1.0', startedAt: NOW - 60_000, seenAt: NOW - 3000, aheadMs: 0 }

async function shownBy(stage: ReturnType<typeof createServerFixture>): Promise<string[]> {
  const getJson = async <Shape>(path: string) => (await (await stage.app.request(path)).json()) as Shape
  const before = { location: 'here', samples: [], events: [] }
  const known = withStatus(before, await getJson<StatusShape>('/api/v1/status'), NOW)
  return renderScreen(withFleet(known, await getJson<FleetMembers>('/api/v1/fetchers')), NOW, 60)
}

it('shows quarantined fetchers of a fleet first, with the reason', async () => {
  const quarantined = [{ name: 't2', reason: 'what it answers cannot be read', until: NOW + 9 }]
  const stage = createServerFixture({
    fleetMembers: () => [
      { role: 'controller', name: 'c1', ...seen, buckets: 256, quarantined },
      { role: 'fetcher', name: 't1', ...seen, slots: 16, activeTasks: 3, completedTasks: 99, region: 'north' },
      { role: 'fetcher', name: 't2', ...seen, aheadMs: 3_600_000, slots: 16, activeTasks: 0, completedTasks: 7 },
      { role: 'indexer', name: 'k1', ...seen, leaderTasks: ['index'] },
    ],
  })
  const lines = await shownBy(stage)
  expect(lines).toContain('fleet: 1 controller, 2 fetchers (1 quarantined), 1 indexer, 0 servers')
  expect(lines.slice(lines.indexOf('fetchers'), lines.indexOf('fetchers') + 3)).toEqual([
    'fetchers',
    '  t2: fetcher 0.1.0, 0 of 16 slots in use, 7 tasks done, its clock is 1h ahead, quarantined: what it answers cannot be read, last seen 3s ago',
    '  t1: fetcher 0.1.0 in north, 3 of 16 slots in use, 99 tasks done, last seen 3s ago',
  ])
})

it('shows no fetchers without a fleet', async () => {
  const lines = await shownBy(createServerFixture({ slots: 32 }))
  expect(lines.filter((line) => /fleet|fetchers/.test(line))).toEqual([])
})

/** What `freshet top` shows of a fleet. */
import { expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { StatusShape } from '../api/index.ts'
import type { FleetMembers } from '../views/index.ts'
import { pictureOf, withFleet, withStatus } from './top-picture.ts'

const seen = { version: '0.1.0', startedAt: NOW - 60_000, seenAt: NOW - 3000, aheadMs: 0 }

async function shownBy(stage: ReturnType<typeof createServerFixture>): Promise<string[]> {
  const asked = async <Shape>(path: string) => (await (await stage.app.request(path)).json()) as Shape
  const before = { place: 'here', samples: [], happened: [] }
  const known = withStatus(before, await asked<StatusShape>('/api/v1/status'), NOW)
  return pictureOf(withFleet(known, await asked<FleetMembers>('/api/v1/terminals')), NOW, 60)
}

it('shows the terminals of a fleet, first those that are set aside, and why', async () => {
  const aside = [{ name: 't2', why: 'what it answers cannot be read', until: NOW + 9 }]
  const stage = createServerFixture({
    members: () => [
      { role: 'controller', name: 'c1', ...seen, buckets: 256, aside },
      { role: 'fetcher', name: 't1', ...seen, hands: 16, load: 3, performed: 99, region: 'north' },
      { role: 'fetcher', name: 't2', ...seen, aheadMs: 3_600_000, hands: 16, load: 0, performed: 7 },
      { role: 'indexer', name: 'k1', ...seen, duties: ['index'] },
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

it('says nothing of terminals where everything is one process', async () => {
  const lines = await shownBy(createServerFixture({ hands: 32 }))
  expect(lines.filter((line) => /fleet|fetchers/.test(line))).toEqual([])
})

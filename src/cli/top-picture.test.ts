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
      { role: 'terminal', name: 't1', ...seen, hands: 16, load: 3, performed: 99, region: 'north' },
      { role: 'terminal', name: 't2', ...seen, aheadMs: 3_600_000, hands: 16, load: 0, performed: 7 },
      { role: 'keeper', name: 'k1', ...seen, duties: ['index'] },
    ],
  })
  const lines = await shownBy(stage)
  expect(lines).toContain('fleet: 1 controller, 2 terminals (1 set aside), 1 keeper, 0 servers')
  expect(lines.slice(lines.indexOf('terminals'), lines.indexOf('terminals') + 3)).toEqual([
    'terminals',
    '  t2: terminal 0.1.0, 0 of 16 hands busy, 7 tasks performed, its clock is 1h ahead, set aside: what it answers cannot be read, heard of 3s ago',
    '  t1: terminal 0.1.0 in north, 3 of 16 hands busy, 99 tasks performed, heard of 3s ago',
  ])
})

it('says nothing of terminals where everything is one process', async () => {
  const lines = await shownBy(createServerFixture({ hands: 32 }))
  expect(lines.filter((line) => /fleet|terminals/.test(line))).toEqual([])
})

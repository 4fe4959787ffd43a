import { expect, it } from 'vitest'
import type { QueuePosition } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { deferIndexMarks } from './defer-index-marks.ts'

const positions = (...of: number[]) => of as QueuePosition[]

function recording({ fails = false } = {}) {
  const calls: unknown[] = []
  const work = deferIndexMarks({
    ...createMemoryStore(),
    async unindexed() {
      calls.push('read')
      return { positions: [], changes: [], hasMore: false }
    },
    async markIndexed(marked) {
      calls.push(['mark', ...marked])
    },
    async recordGroups(_entries, _positions, _at, _boilerplate, indexed = []) {
      if (fails) throw new Error('the disk is full')
      calls.push(['group', ...indexed])
      return []
    },
  })
  return { work, calls }
}

it('marks entries as indexed with the next write of groups, once', async () => {
  const { work, calls } = recording()
  await work.markIndexed(positions(1, 2))
  await work.markIndexed(positions(3))
  await work.recordGroups([], [], 0)
  await work.recordGroups([], [], 0)
  await work.flush()
  expect(calls).toEqual([['group', 1, 2, 3], ['group']])
})

it('marks them before the queue is read again, and at the end of a round', async () => {
  const { work, calls } = recording()
  await work.markIndexed(positions(1))
  await work.unindexed(9)
  await work.markIndexed(positions(2))
  await work.flush()
  await work.flush()
  expect(calls).toEqual([['mark', 1], 'read', ['mark', 2]])
})

it('keeps the marks of a write that failed', async () => {
  const { work, calls } = recording({ fails: true })
  await work.markIndexed(positions(1))
  await expect(work.recordGroups([], [], 0)).rejects.toThrow('the disk is full')
  await work.flush()
  expect(calls).toEqual([['mark', 1]])
})

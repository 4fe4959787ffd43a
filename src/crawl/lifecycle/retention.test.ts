import { expect, it } from 'vitest'
import { DAY, type Instant } from '../../model/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { applyRetentionChunk } from './retention.ts'

const NOW = 1_760_000_000_000 as Instant
const clock = { now: () => NOW, sleepUntil: async () => {} }
const FOR_EVER = { keepEntriesMs: 0, keepPollsMs: 0, groupWindowMs: 7 * DAY }

it('compresses entries after a month, in chunks, even if everything is kept forever', async () => {
  const { retention } = rolesOf(createMemoryStore())
  const requests: [Instant, number][] = []
  const left = [40, 2, 0]
  const packing = {
    ...retention,
    compressEntries: async (before: Instant, limit: number) => {
      requests.push([before, limit])
      return left.shift() ?? 0
    },
  }
  const more: boolean[] = []
  for (let chunk = 0; chunk < 3; chunk++)
    more.push(await applyRetentionChunk({ retention: packing, clock }, FOR_EVER, 40))
  expect(more).toEqual([true, true, false])
  expect(requests).toEqual(Array.from({ length: 3 }, () => [NOW - 30 * DAY, 40]))
})

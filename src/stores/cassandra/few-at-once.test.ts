import { expect, test } from 'vitest'
import { fewAtOnce, UNDER_WAY } from './few-at-once.ts'

/** So much work, of which one piece fails; counts what is under way. */
function stage(pieces: number, failing?: number) {
  const seen = { begun: 0, underWay: 0, most: 0 }
  const work = Array.from({ length: pieces }, (_, i) => async () => {
    seen.begun++
    seen.underWay++
    seen.most = Math.max(seen.most, seen.underWay)
    for (let turns = 0; turns <= i % 5; turns++) await Promise.resolve()
    seen.underWay--
    if (i === failing) throw new Error(`${i} failed`)
  })
  return { seen, work }
}

test('all of it is done, and never more than some dozens at once', async () => {
  const { seen, work } = stage(500)
  await fewAtOnce(work)
  expect(seen).toEqual({ begun: 500, underWay: 0, most: UNDER_WAY })
  await fewAtOnce([])
})

test('what fails is told when nothing is under way any more, and nothing is begun after it', async () => {
  const { seen, work } = stage(500, 40)
  await expect(fewAtOnce(work)).rejects.toThrow('40 failed')
  expect(seen.underWay).toBe(0)
  expect(seen.begun).toBeLessThan(40 + 3 * UNDER_WAY)
})

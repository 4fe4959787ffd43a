import { expect, test } from 'vitest'
import type { EntryShape, GroupShape, MemberShape } from '../../src/api/index.ts'
import { multiFeedStories } from './multi-feed-stories.ts'

let ids = 0
const entryOf = (feedId: number) => ({ id: ++ids, feedId }) as EntryShape

function told(...feedIds: number[]) {
  const entries = feedIds.map(entryOf)
  const group = { id: ++ids, size: entries.length, primary: entries[0] } as GroupShape
  return { group, members: entries.map((entry) => ({ entry }) as MemberShape) }
}

test('large series of single feeds do not displace stories of several feeds', async () => {
  const series = Array.from({ length: 5 }, (_, i) => told(...Array<number>(9).fill(i)))
  const all = [...series, told(1, 2, 2), told(1, 2, 3)]
  const asked: number[] = []
  const stories = await multiFeedStories(
    all.map(({ group }) => group),
    2,
    async ({ id }) => {
      asked.push(id)
      return all.find(({ group }) => group.id === id)!
    },
  )
  expect(stories.map(({ tellings, tellers }) => [tellings.length, tellers.length])).toEqual([
    [3, 3],
    [3, 2],
  ])
  expect(asked).toHaveLength(7)
})

test('requests no more than fills the page', async () => {
  const all = Array.from({ length: 9 }, () => told(1, 2))
  let asked = 0
  const stories = await multiFeedStories(
    all.map(({ group }) => group),
    2,
    async () => {
      asked++
      return all[0]!
    },
  )
  expect([stories.length, asked]).toEqual([2, 2])
})

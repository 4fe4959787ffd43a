import { describe, expect, test } from 'vitest'
import { DAY } from '../../model/index.ts'
import { createCopyIndex, type Item } from '../index.ts'

const START = Date.UTC(2026, 2, 1)

let lastId = 0
function told(title: string, at = START): Item {
  return { id: ++lastId, at, title }
}

const FLOOD = [
  'Flood in Varnby leaves hundreds homeless',
  'Hundreds homeless after flood hits Varnby',
  'Varnby flood: army sends boats',
  'Army boats reach flooded Varnby',
  'Varnby mayor calls flood worst in a century',
]
const TRIAL = [
  'Verdict expected in Ostrander fraud trial',
  'Ostrander found guilty of fraud',
  'Guilty: Ostrander faces ten years for fraud',
  'Fraud verdict shocks Ostrander investors',
]
const LONE = ['Goose found in bakery', 'Chess title goes north', 'How to grow beans on a balcony']

describe('stories', () => {
  test('tellings of two events are two stories, and what is alone stays alone', () => {
    const index = createCopyIndex({ level: 'story' })
    const all = [FLOOD, TRIAL, LONE].flatMap((titles, story) => titles.map((title) => ({ title, story })))
    const shuffled = all.toSorted((a, b) => a.title.length - b.title.length)
    const placed = index.addAll(shuffled.map(({ title }, i) => told(title, START + i)))
    const groupsOf = (story: number) =>
      new Set(placed.filter((_, i) => shuffled[i]!.story === story).map(({ group }) => group))
    expect([0, 1, 2].map((story) => groupsOf(story).size)).toEqual([1, 1, 3])
    expect(new Set(placed.map(({ group }) => group)).size).toBe(5)
  })

  test('the earliest telling is the primary, and the evidence names what they speak of', () => {
    const index = createCopyIndex({ level: 'story' })
    const [first, second] = FLOOD.map((title, i) => index.add(told(title, START + i)))
    expect(second).toMatchObject({ group: first!.id, primary: first!.id, size: 2 })
    expect(second?.evidence.like).toBe(first?.id)
    expect(second?.evidence.reason).toMatch(/^speaks of .*(varnby|flood|homeless).*, like 1 other$/)
    expect(first?.evidence.reason).toBe('no story like it')
  })

  test('two beginnings of one story become one', () => {
    const index = createCopyIndex({ level: 'story' })
    const boats = index.add(told('Army sends boats to valley'))
    const homeless = index.add(told('Varnby flood leaves hundreds homeless', START + 1))
    expect(homeless.size).toBe(1)
    const both = index.add(told('Army sends boats to Varnby, flood leaves hundreds homeless', START + 2))
    const later = [3, 4, 5].map((i) => index.add(told('Army boats in Varnby flood, hundreds homeless', START + i)))
    const merged = [both, ...later].flatMap((placement) => placement.merged)
    expect(merged).toEqual([homeless.id])
    expect(index.group(boats.id)?.members.map(({ id }) => id)).toContain(homeless.id)
    expect(index.group(homeless.id)).toBeUndefined()
  })

  test('a story becomes one with another once, however many are alike', () => {
    const index = createCopyIndex({ level: 'story' })
    let state = 1
    const random = () => {
      state = (state * 48271) % 2147483647
      return state / 2147483647
    }
    const word = (rank: number) => `w${rank.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}`
    const merges = Array.from({ length: 100 }, (_, i) => {
      const title = Array.from({ length: 6 }, () => word(Math.floor(500 ** random()))).join(' ')
      return index.add(told(title, START + i)).merged
    })
    expect(merges.flat().length).toBeGreaterThan(0)
    for (const merged of merges) expect(merged).toEqual([...new Set(merged)])
  })

  test('copies and stories are not mixed: a retelling is no copy', () => {
    const copies = createCopyIndex()
    for (const title of FLOOD) expect(copies.add(told(title)).size).toBe(1)
  })

  test('a story is forgotten when nobody has told it for the length of the window', () => {
    const index = createCopyIndex({ level: 'story', windowDays: 2 })
    for (const [i, title] of FLOOD.entries()) index.add(told(title, START + i * DAY))
    expect(index.size).toBe(3)
    const late = index.add(told(FLOOD[0]!, START + 30 * DAY))
    expect(late.size).toBe(1)
    expect(index.size).toBe(1)
  })

  test('Chinese headlines need no spaces', () => {
    const index = createCopyIndex({ level: 'story' })
    const first = index.add(told('瓦恩比洪水致数百人无家可归'))
    expect(index.add(told('军方派船前往瓦恩比洪水灾区')).group).toBe(first.group)
    expect(index.add(told('面包店里发现一只大白鹅')).size).toBe(1)
  })

  test('a new version of an item takes the place of the old one', () => {
    const index = createCopyIndex({ level: 'story' })
    const first = told(FLOOD[0]!)
    index.add(first)
    index.add(told(FLOOD[1]!))
    const again = index.add({ ...first, title: 'Correction: nothing happened' })
    expect(again).toMatchObject({ group: first.id, size: 2 })
    expect(index.size).toBe(2)
  })

  test('capacity bounds what is remembered', () => {
    const index = createCopyIndex({ level: 'story', capacity: 10 })
    for (let i = 0; i < 100; i++) index.add(told(`${FLOOD[i % 5]} ${i}`, START + i))
    expect(index.size).toBe(10)
  })
})

import { expect, test } from 'vitest'
import { createCopyIndex } from '../index.ts'

const START = Date.UTC(2026, 2, 1)
const NEWSLETTER =
  'Sign up for our free letter and get the most important news of the town and its harbour delivered every morning, free of charge and without obligation, by our team of reporters round the world.'

const SUBJECTS = 'ferry goose museum drought chess bicycle bakery orchard tunnel violin glacier lantern'.split(' ')
const VERBS = 'strands delights reopens worsens puzzles vanishes returns collapses charges wins melts glows'.split(' ')
const PLACES = 'Varnby Elmsea Torrow Quill Hadley Bramble Oster Finlock Marsh Yarrow Dunmere Selby'.split(' ')

const title = (i: number) => `${SUBJECTS[i % 12]} ${VERBS[(i * 5) % 12]} ${PLACES[(i * 7 + Math.floor(i / 12)) % 12]}`

test('a sentence shared by many titles forms no large group, although titles contain some of its words', () => {
  const index = createCopyIndex()
  const items = Array.from({ length: 144 }, (_, i) => {
    return { id: i + 1, at: START + i, title: title(i), text: NEWSLETTER }
  })
  for (const { size } of index.addAll(items)) expect(size).toBeLessThanOrEqual(4)
})

test('a sentence shared by all titles forms no larger groups while one event dominates for hours', () => {
  const core = 'Ferry Aurora strikes bridge'
  const behind = [
    'at dawn as nine passengers sleep below deck',
    'in thick fog, pilot speaks of broken compass',
    'and road to Varnby stays closed until summer',
    'again, owners promise new radar within weeks',
  ]
  const before = ['', 'Police:', 'Mayor says']
  const headlines = [core, ...before.flatMap((one) => behind.map((more) => `${one} ${core} ${more}`.trim()))]
  const largest = (text: string) => {
    const index = createCopyIndex()
    for (let i = 0; i < 12; i++) index.add({ id: i + 1, at: START + i, title: title(i), text })
    const event = Array.from({ length: 72 }, (_, i) => {
      return { id: i + 100, at: START + 100 + i, title: headlines[(i * 7) % headlines.length]!, text }
    })
    return Math.max(...index.addAll(event).map(({ size }) => size))
  }
  expect(largest(NEWSLETTER)).toBeLessThanOrEqual(largest(''))
})

test('finds copies behind a shared sentence', () => {
  const index = createCopyIndex()
  const own =
    'Crews return to their boats on Monday after nine days, the union and the company of Port Else agreed in the evening, while passengers of three islands waited on wooden benches.'
  for (let i = 0; i < 40; i++) index.add({ id: i + 1, at: START + i, title: title(i), text: NEWSLETTER })
  const first = index.add({ id: 100, at: START + 50, title: 'Boats leave again', text: `${own} ${NEWSLETTER}` })
  const second = index.add({ id: 101, at: START + 51, title: 'Crews go back', text: `${own} ${NEWSLETTER}` })
  expect([first.size, second.size]).toEqual([1, 2])
})

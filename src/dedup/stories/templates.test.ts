/**
 * Wire news by templates: each report has a name, a place or figures of its own in the words of all the others. They tell of
 * as many events as there are reports; and what is retold among them is still one story.
 */
import { expect, test } from 'vitest'
import { createCopyIndex, type Item } from '../index.ts'

const START = Date.UTC(2026, 2, 2)
const MINUTE = 60_000

/** A name that nobody else has, of two syllables out of many. */
function name(i: number): string {
  const first = [
    'Al',
    'Bram',
    'Cor',
    'Del',
    'Esk',
    'Fen',
    'Gar',
    'Hol',
    'Ing',
    'Jar',
    'Kel',
    'Lom',
    'Mar',
    'Nor',
    'Ost',
  ]
  const last = ['dermere', 'bleton', 'vanger', 'quist', 'rowby', 'tonia', 'ficent', 'lander', 'mestra', 'wick', 'zuela']
  return `${first[i % 15]}${last[(i * 4) % 11]}`
}

const some = <One>(all: readonly One[], i: number): One => all[i % all.length]!
const figure = (i: number, factor: number, most: number) => ((i * factor) % most) + 3
const MONTHS = ['March', 'April', 'May']

const TEMPLATES: Record<string, (i: number) => { title: string; text: string }> = {
  'dividends, as a table': (i) => ({
    title: `${name(i)} ${some(['Corp', 'Inc', 'Industries'], i)} ${some(['sets', 'declares', 'raises'], i)} quarterly dividend`,
    text: `Qtly div ${figure(i, 7, 40)} cents vs ${figure(i, 7, 40)} cents prior. Payable ${some(MONTHS, i)} ${figure(i, 5, 25)}. Record ${some(MONTHS, i + 1)} ${figure(i, 3, 25)}.`,
  }),
  'dividends, in a sentence': (i) => ({
    title: `${name(i)} ${some(['lifts', 'keeps', 'cuts'], i)} dividend`,
    text: `${name(i)} Holdings said its board declared a quarterly dividend of ${figure(i, 7, 40)} cents a share, payable on ${some(MONTHS, i)} ${figure(i, 5, 25)} to shareholders of record.`,
  }),
  'livestock markets': (i) => ({
    title: `${name(i)} cattle and hog prices`,
    text: `Estimated receipts ${figure(i, 113, 4000)} head. Slaughter steers and heifers ${some(['steady', 'firm', 'weak'], i)}, barrows and gilts ${figure(i, 3, 9)} cents ${some(['higher', 'lower'], i)}. Choice steers ${figure(i, 7, 60)}.25, good heifers ${figure(i, 5, 50)}.50.`,
  }),
  futures: (i) => ({
    title: `${name(i)} futures close ${some(['higher', 'lower', 'mixed'], i)}`,
    text: `${name(i)} futures settled ${some(['higher', 'lower', 'mixed'], i)} in moderate trading, with the nearby contract at ${figure(i, 17, 900)}.${figure(i, 3, 90)}. Volume was estimated at ${figure(i, 131, 9000)} contracts, traders said.`,
  }),
  'bond issues': (i) => ({
    title: `${name(i)} issues ${figure(i, 25, 300)} million euro bond`,
    text: `${name(i)} Finance is issuing a ${figure(i, 25, 300)} million euro bond due ${some(MONTHS, i)} 2031 paying ${figure(i, 1, 5)}.5 percent and priced at 101, lead manager Bank of ${name(80 + (i % 6))} said. The bond is available in denominations of 5,000.`,
  }),
  earnings: (i) => ({
    title: `${name(i)} Inc first quarter net`,
    text: `Shr ${figure(i, 7, 90)} cents vs ${figure(i, 11, 90)} cents. Net ${figure(i, 131, 9000)},000 vs ${figure(i, 117, 9000)},000. Revs ${figure(i, 13, 400)}.2 million vs ${figure(i, 19, 400)}.7 million. Avg shares ${figure(i, 3, 40)} million.`,
  }),
  weather: (i) => ({
    title: `Weather for ${name(i)}: ${some(['rain', 'sunshine', 'fog', 'snow'], i)}`,
    text: `The ${name(i)} area can expect ${some(['rain', 'sunshine', 'fog', 'snow'], i)} with highs of ${figure(i, 3, 20)} degrees. Winds from the ${some(['north', 'west', 'south'], i)} at ${figure(i, 7, 50)} kilometres an hour, the service said.`,
  }),
  results: (i) => ({
    title: `${name(i)} ${figure(i, 3, 5)} ${name(i + 40)} ${figure(i, 5, 4)}`,
    text: `Result of a second division match played on Saturday between ${name(i)} and ${name(i + 40)}. Half-time score ${figure(i, 2, 3)}. Attendance ${figure(i, 173, 9000)}.`,
  }),
}

function reports(template: (i: number) => { title: string; text: string }): Item[] {
  return Array.from({ length: 70 }, (_, i) => ({ id: i + 1, at: START + i * MINUTE, ...template(i) }))
}

test.each(Object.entries(TEMPLATES))('many reports like "%s" form no story', (_, template) => {
  const index = createCopyIndex({ level: 'story' })
  const placed = index.addAll(reports(template))
  expect(Math.max(...placed.map(({ size }) => size))).toBeLessThanOrEqual(8)
  expect(placed.filter(({ size }) => size > 1).length).toBeLessThanOrEqual(20)
})

test('repeated reports among them form a story', () => {
  const index = createCopyIndex({ level: 'story' })
  const all = Object.values(TEMPLATES).flatMap((template, k) =>
    reports(template).map((one) => ({ ...one, id: one.id + k * 100, at: one.at + k })),
  )
  const takeover = [
    [
      'Quillfeather makes offer for Tarnbrook',
      'Quillfeather Group said it offered 31 a share for all of Tarnbrook Mills, a weaver of carpets in Sedgeley, and expects an answer by Friday.',
    ],
    [
      'Tarnbrook Mills rejects bid of Quillfeather',
      'The board of Tarnbrook Mills called the 31 a share bid of Quillfeather far too low; the carpets of Sedgeley are worth more, its chairman said.',
    ],
  ].map(([title, text], i) => ({ id: 9001 + i, at: START + (30 + i * 20) * MINUTE, title: title!, text: text! }))
  const placed = index.addAll([...all, ...takeover].sort((a, b) => a.at - b.at || a.id - b.id))
  const [first, second] = [9001, 9002].map((id) => placed.find((one) => one.id === id)!)
  expect(second!.group).toBe(first!.group)
  expect(second!.size).toBe(2)
})

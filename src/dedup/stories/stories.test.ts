import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../model/index.ts'
import { type CopyIndex, createCopyIndex, type Item, type KnownItem, signature } from '../index.ts'

const START = Date.UTC(2026, 2, 1)

let lastId = 0
function itemOf(title: string, at = START): Item {
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
  test('reports of two events form two stories, and unrelated entries stay alone', () => {
    const index = createCopyIndex({ level: 'story' })
    const all = [FLOOD, TRIAL, LONE].flatMap((titles, story) => titles.map((title) => ({ title, story })))
    const shuffled = all.toSorted((a, b) => a.title.length - b.title.length)
    const placed = index.addAll(shuffled.map(({ title }, i) => itemOf(title, START + i)))
    const groupsOf = (story: number) =>
      new Set(placed.filter((_, i) => shuffled[i]!.story === story).map(({ group }) => group))
    expect([0, 1, 2].map((story) => groupsOf(story).size)).toEqual([1, 1, 3])
    expect(new Set(placed.map(({ group }) => group)).size).toBe(5)
  })

  test('a story keeps its subject: slightly similar entries do not join everything', () => {
    const index = createCopyIndex({ level: 'story' })
    // Two dozen of each, as on a street where little happens and much is told of it.
    const pick = (list: string, i: number) => list.split(' ')[i % list.split(' ').length]!
    const whos =
      'clock goose council grinder ferry oak band postmistress barrow cricket keeper bakery school owl smith choir'
    const deeds =
      'stops wins returns blocks opens asks sells refuses votes sleeps wanders celebrates paints rings draws learns'
    const places =
      'mill green bridge street pond aqueduct halt orchard tollhouse hill chemist towpath bakeries harbour quarry'
    let seed = 7
    const chance = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return seed >>> 8
    }
    let largest = 0
    for (let i = 0; i < 1500; i++) {
      const title = `The ${pick(whos, chance())} ${pick(deeds, chance())} at the ${pick(places, chance())}`
      largest = Math.max(largest, index.add(itemOf(title, START + i * 10_000)).size)
    }
    expect(largest).toBeLessThan(500)
  })

  test('an event with thousands of reports stays one story', () => {
    const index = createCopyIndex({ level: 'story' })
    const others = [
      'army sends boats',
      'hundreds homeless',
      'mayor asks for help',
      'bridge gives way',
      'schools closed',
    ]
    const sizes = Array.from({ length: 600 }, (_, i) => {
      const where = i % 3 === 0 ? 'Flood in Varnby' : 'Varnby flood'
      return index.add(itemOf(`${where}: ${others[i % others.length]}, reporter ${i} writes`, START + i * 60_000)).size
    })
    expect(sizes.at(-1)).toBeGreaterThan(590)
  })

  test('the earliest report is the primary, and the evidence names the common words', () => {
    const index = createCopyIndex({ level: 'story' })
    const [first, second] = FLOOD.map((title, i) => index.add(itemOf(title, START + i)))
    expect(second).toMatchObject({ group: first!.id, primary: first!.id, size: 2 })
    expect(second?.evidence.like).toBe(first?.id)
    expect(second?.evidence.reason).toMatch(/^speaks of .*(varnby|flood|homeless).*, like 1 other$/)
    expect(first?.evidence.reason).toBe('no story like it')
  })

  test('two separate beginnings of a story are merged', () => {
    const index = createCopyIndex({ level: 'story' })
    const boats = index.add(itemOf('Army sends boats to valley'))
    const homeless = index.add(itemOf('Varnby flood leaves hundreds homeless', START + 1))
    expect(homeless.size).toBe(1)
    const both = index.add(itemOf('Army sends boats to Varnby, flood leaves hundreds homeless', START + 2))
    const later = [3, 4, 5].map((i) => index.add(itemOf('Army boats in Varnby flood, hundreds homeless', START + i)))
    const merged = [both, ...later].flatMap((placement) => placement.merged)
    expect(merged).toEqual([homeless.id])
    expect(index.group(boats.id)?.members.map(({ id }) => id)).toContain(homeless.id)
    expect(index.group(homeless.id)).toBeUndefined()
  })

  test('an item that has left the window by the end of its batch gets its current story', () => {
    const index = createCopyIndex({ level: 'story' })
    const boats = itemOf('Army sends boats to valley')
    const homeless = itemOf('Varnby flood leaves hundreds homeless', START + 1)
    const both = itemOf('Army sends boats to Varnby, flood leaves hundreds homeless', START + 2)
    const later = [3, 4, 5].map((i) => itemOf('Army boats in Varnby flood, hundreds homeless', START + i))
    const monthLater = itemOf('Museum of clocks reopens', START + 30 * DAY)
    const placed = index.addAll([boats, homeless, both, ...later, monthLater])
    expect(placed.find(({ id }) => id === homeless.id)?.group).toBe(boats.id)
  })

  test('two stories are merged once, however many entries are similar', () => {
    const index = createCopyIndex({ level: 'story' })
    let state = 1
    const random = () => {
      state = (state * 48271) % 2147483647
      return state / 2147483647
    }
    const words = Array.from({ length: 16 }, (_, i) => `w${'bcdfghjklmnpqrst'[i]}enta`)
    const merges = Array.from({ length: 100 }, (_, i) => {
      const title = words.filter(() => random() < 0.35).join(' ')
      return index.add(itemOf(title, START + i)).merged
    })
    expect(merges.flat().length).toBeGreaterThan(0)
    for (const merged of merges) expect(merged).toEqual([...new Set(merged)])
  })

  test('copies and stories are separate: another report is not a copy', () => {
    const copies = createCopyIndex()
    for (const title of FLOOD) expect(copies.add(itemOf(title)).size).toBe(1)
  })

  test('a story ends when there was no report for the length of the window', () => {
    const index = createCopyIndex({ level: 'story', windowDays: 2 })
    for (const [i, title] of FLOOD.entries()) index.add(itemOf(title, START + i * DAY))
    expect(index.size).toBe(3)
    const late = index.add(itemOf(FLOOD[0]!, START + 30 * DAY))
    expect(late.size).toBe(1)
    expect(index.size).toBe(1)
  })

  test('Chinese titles need no spaces', () => {
    const index = createCopyIndex({ level: 'story' })
    const first = index.add(itemOf('瓦恩比洪水致数百人无家可归'))
    expect(index.add(itemOf('军方派船前往瓦恩比洪水灾区')).group).toBe(first.group)
    expect(index.add(itemOf('面包店里发现一只大白鹅')).size).toBe(1)
  })

  test('a new version of an item replaces the old one', () => {
    const index = createCopyIndex({ level: 'story' })
    const first = itemOf(FLOOD[0]!)
    index.add(first)
    index.add(itemOf(FLOOD[1]!))
    const again = index.add({ ...first, title: 'Correction: nothing happened' })
    expect(again).toMatchObject({ group: first.id, size: 2 })
    expect(index.size).toBe(2)
  })

  test('the capacity limits what is remembered', () => {
    const index = createCopyIndex({ level: 'story', capacity: 10 })
    for (let i = 0; i < 100; i++) index.add(itemOf(`${FLOOD[i % 5]} ${i}`, START + i))
    expect(index.size).toBe(10)
  })
})

describe('an event, not a topic', () => {
  const name = (i: number) =>
    `${'bdfgklmnprstvz'[i % 14]}${'aeiou'[i % 5]}${'lmnrst'[i % 6]}${'aeiou'[(i >> 2) % 5]}nd${i % 97}x`
  const quarterly = (i: number, at: number) => itemOf(`${name(i)} reports higher quarterly results and dividend`, at)

  test('daily reports in the same words about different subjects are not a story', () => {
    const index = createCopyIndex({ level: 'story' })
    const placed = Array.from({ length: 400 }, (_, i) => index.add(quarterly(i, START + (i * 14 * DAY) / 400)))
    expect(placed.slice(200).filter(({ size }) => size > 2)).toEqual([])
  })

  test("a publisher's name in every title joins nothing", () => {
    const index = createCopyIndex({ level: 'story' })
    const titles = Array.from(
      { length: 300 },
      (_, i) => `${name(i)} ${name(i * 7 + 1)} ${name(i * 5 + 2)} - Varnby-Gazette.Net`,
    )
    const placed = titles.map((title, i) => index.add(itemOf(title, START + (i * 14 * DAY) / 300)))
    expect(placed.slice(150).filter(({ size }) => size > 1)).toEqual([])
  })

  test('an event is recognized by names and figures in the text, if one of the titles contains them', () => {
    const index = createCopyIndex({ level: 'story' })
    for (let i = 0; i < 200; i++)
      index.add({ ...quarterly(i, START + i), summary: 'The company said results rose again in the last quarter.' })
    const at = START + HOUR
    const sale = index.add({
      ...itemOf('Ostrander sells battery works', at),
      summary: 'Investors led by Camille Moreau pay 40 million for the site in Lille, which opened in 1987.',
    })
    const repeated = index.add({
      ...itemOf('Moreau buys Ostrander battery works in Lille', at + 1),
      summary: 'Staff at the plant were told on Monday; the price of 40 million includes all the machines.',
    })
    const recall = index.add({
      ...itemOf('Ostrander recalls battery packs', at + 2),
      summary: 'Owners should bring back whatever was sold before summer, as cases may swell when left in heat.',
    })
    expect(repeated.group).toBe(sale.group)
    expect(recall.size).toBe(1)
  })

  test('the report of another day, from the same template, is another event', () => {
    const report = (deaths: number, village: string, at: number): Item => ({
      ...itemOf('Planes raid southern Ostrander valley', at),
      summary: `Planes bombed rebel targets near ${village} in the southern valley, radio stations of Varnby said, killing ${deaths}.`,
    })
    const groups = (apart: number) => {
      const index = createCopyIndex({ level: 'story' })
      const first = index.add(report(12, 'Alderby', START))
      return [first.group, index.add(report(31, 'Birchby', START + apart)).group]
    }
    const [first, sameDay] = groups(3 * HOUR)
    expect(sameDay).toBe(first)
    const [before, later] = groups(2 * DAY)
    expect(later).not.toBe(before)
  })

  test('two reports about one company are one story only if their texts are about the same event', () => {
    const index = createCopyIndex({ level: 'story' })
    const sale = 'Ostrander said it sold its battery works in Lille to three investors led by Moreau for 40 million.'
    const suit = 'The court in Delft heard how drivers lost wages when rosters were altered without any warning.'
    const add = (title: string, text: string, at: number) => index.add({ ...itemOf(title, START + at), text })
    const first = add('Ostrander Corp in battery deal', sale, 0)
    const other = add('Ostrander Corp in wage dispute', suit, 1)
    const same = add('Ostrander Corp strikes battery deal', sale.replace('said it sold', 'has now sold'), 2)
    expect([other.group, same.group]).toEqual([other.id, first.id])
  })

  test('reports without titles and in different words form one story by their rare words, in any language', () => {
    const index = createCopyIndex({ level: 'story' })
    const add = (text: string, at: number) => index.add({ ...itemOf('', START + at), text })
    const first = add(
      'Orgelbauer Hasselkamp rettet Glocke von Wendelsbüll. Mit einem Kran hob der Orgelbauer Hasselkamp die gesprungene Glocke aus dem Turm, sie soll in Gescherfeld neu gegossen werden.',
      0,
    )
    const other = add(
      'Schwimmbad bleibt länger offen. Die Stadträte stimmten einer Verlängerung der Badezeit zu, weil der Sommer spät kam und viele Familien Karten hatten.',
      1,
    )
    const repeated = add(
      'Wendelsbüll ohne Glocke: Hasselkamp lässt sie vom Turm holen. Das Dorf wartet nun, bis das gesprungene Stück aus der Gießerei Gescherfeld zurückkehrt.',
      2,
    )
    expect([other.size, repeated.group]).toEqual([1, first.group])
  })

  test('after days of silence, a title must be more similar', () => {
    const sizeAfter = (days: number) => {
      const index = createCopyIndex({ level: 'story' })
      index.add(itemOf(FLOOD[0]!))
      return index.add(itemOf(FLOOD[1]!, START + days * DAY)).size
    }
    expect([0, 0.2, 5].map(sizeAfter)).toEqual([2, 2, 1])
  })

  test('no two reports are further apart than the window, in any order', () => {
    const again = (days: number[]) => {
      const index = createCopyIndex({ level: 'story', windowDays: 7 })
      return days.map((day) => index.add(itemOf(FLOOD[0]!, START + day * DAY)).size)
    }
    expect(again([12, 0])).toEqual([1, 1])
    expect(again([0, 12])).toEqual([1, 1])
    expect(again([0, 2, 4, 6, 8])).toEqual([1, 2, 3, 4, 1])
  })

  test('a copy joins the story of its original, whatever its title', () => {
    const index = createCopyIndex({ level: 'story' })
    const [flood, trial] = [index.add(itemOf(FLOOD[0]!)), index.add(itemOf(TRIAL[0]!))]
    const copy = index.add({ ...itemOf('In brief'), copyOf: [flood.id] })
    expect(copy).toMatchObject({ group: flood.id, joined: [flood.id], evidence: { like: flood.id, likeness: 1 } })
    const both = index.add({ ...itemOf('Also in brief'), copyOf: [flood.id, trial.id, 999_999] })
    expect(both).toMatchObject({ size: 4, joined: [flood.id, trial.id], merged: [trial.id] })
  })
})

/** Tellings of a few events over some days, some of which come late. */
const stream = fc
  .array(fc.record({ event: fc.nat(6), words: fc.nat(255), at: fc.nat(20 * 24), lateBy: fc.nat(30) }), {
    minLength: 1,
    maxLength: 50,
  })
  .map((some) =>
    some
      .map(({ event, words, at, lateBy }, i) => {
        const own = Array.from({ length: 8 }, (_, word) => `ev${'abcdefg'[event]}${'klmnopqr'[word]}`)
        const title = own.filter((_, word) => words & (1 << word)).join(' ')
        return { item: { id: i + 1, at: START + at * HOUR, title }, arrival: at + lateBy }
      })
      .sort((a, b) => a.arrival - b.arrival)
      .map(({ item }) => item),
  )

/** Places items one after the other, and keeps who belongs together as a store does. */
function createStoredStories(index: CopyIndex, stories = new Map<number, Set<number>>()) {
  return {
    stories,
    add(item: Item): number[] {
      const members = new Set([item.id])
      for (const other of index.add(item).joined) for (const id of stories.get(other)!) members.add(id)
      for (const id of members) stories.set(id, members)
      return [...members].sort((a, b) => a - b)
    },
  }
}

describe('results do not depend on order and restarts', () => {
  test('a restart changes no story, even if reports came late and the store returns them in chronological order', () => {
    fc.assert(
      fc.property(stream, fc.nat(50), (items, cut) => {
        const first = createStoredStories(createCopyIndex({ level: 'story' }))
        for (const one of items.slice(0, cut)) first.add(one)
        const restored = createCopyIndex({ level: 'story' })
        const known = items.slice(0, cut).map((one): KnownItem => {
          const members = first.stories.get(one.id)!
          const group = members.size > 1 ? -1000 - Math.max(...members) : one.id
          return { id: one.id, at: one.at, signature: signature(one), group }
        })
        restored.restore(known.sort((a, b) => a.at - b.at || a.id - b.id))
        const second = createStoredStories(restored, new Map(first.stories))
        for (const one of items.slice(cut)) expect(second.add(one)).toEqual(first.add(one))
      }),
      { numRuns: 300 },
    )
  })

  test('reports of a story are never further apart than the window, in any order of arrival', () => {
    fc.assert(
      fc.property(stream, (items) => {
        const stored = createStoredStories(createCopyIndex({ level: 'story', windowDays: 3 }))
        for (const one of items) stored.add(one)
        const dates = new Map(items.map(({ id, at }) => [id, at]))
        for (const members of stored.stories.values()) {
          const instants = [...members].map((id) => dates.get(id)!)
          expect(Math.max(...instants) - Math.min(...instants)).toBeLessThanOrEqual(3 * DAY)
        }
      }),
    )
  })

  test('in another order of arrival, at most a twentieth of the stories about distinct names differ', () => {
    const storiesOf = (items: readonly Item[]) => {
      const stored = createStoredStories(createCopyIndex({ level: 'story' }))
      for (const one of items) stored.add(one)
      return stored.stories
    }
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(999)), (chance) => {
        const draw = () => chance.next().value! / 1000
        const items = Array.from({ length: 300 }, (_, i): Item => {
          const event = i % 30
          const own = Array.from(
            { length: 6 },
            (_, word) => `ev${'abcdefghijklmno'[event >> 1]}${event % 2}${'klmnop'[word]}`,
          )
          const title = [...own.filter(() => draw() < 0.75), `topic${'abc'[event % 3]}`].join(' ')
          return { id: i + 1, at: START + (event % 5) * DAY + Math.floor(draw() * 12 * HOUR), title }
        })
        const inTime = storiesOf(items.toSorted((a, b) => a.at - b.at || a.id - b.id))
        const arrivals = new Map(items.map(({ id, at }) => [id, at + draw() * 6 * HOUR]))
        const late = storiesOf(items.toSorted((a, b) => arrivals.get(a.id)! - arrivals.get(b.id)!))
        expect(bCubed(inTime, late)).toBeGreaterThanOrEqual(0.95)
      }),
      { numRuns: 20, seed: 7 },
    )
  })
})

function bCubed(
  truth: ReadonlyMap<number, ReadonlySet<number>>,
  found: ReadonlyMap<number, ReadonlySet<number>>,
): number {
  let [precision, recall] = [0, 0]
  for (const [id, members] of truth) {
    const others = found.get(id)!
    const shared = [...members].filter((member) => others.has(member)).length
    precision += shared / others.size / truth.size
    recall += shared / members.size / truth.size
  }
  return (2 * precision * recall) / (precision + recall)
}

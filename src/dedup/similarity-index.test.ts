import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../model/index.ts'
import {
  createCopyIndex,
  distance,
  type Item,
  type KnownItem,
  type Placement,
  plainSignature,
  signature,
} from './index.ts'

const START = Date.UTC(2026, 2, 1)
const LEAD =
  'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel of nine years.'

let lastId = 0
function item(title: string, summary = '', at = START): Item {
  return { id: ++lastId, at, title, summary }
}

/** A text of made-up words that has nothing to do with any other. */
function story(seed: number, words = 30): { title: string; summary: string } {
  let state = seed * 2 + 1
  const letter = () => {
    state = Math.imul(state ^ (state >>> 13), 0x5bd1e995) + 0x6d2b79f5
    return String.fromCharCode(97 + ((state >>> 16) % 26))
  }
  const all = Array.from({ length: words }, () => Array.from({ length: 8 }, letter).join(''))
  return { title: all.slice(0, 7).join(' '), summary: all.slice(3).join(' ') }
}

describe('examples of the founding document', () => {
  const GOLF = 'McIlroy set to miss cut in Hong Kong after putting problems'
  const MVP = 'List of National League MVP award winners'
  test.each([
    ['a list that is published again', MVP, MVP, true],
    ['a label in front', `Golf-${GOLF}`, GOLF, true],
    [
      'nothing in common',
      'Battery maker A123 files for bankruptcy protection',
      "Alien Life May Require Rare 'Just-Right' Asteroid Belts",
      false,
    ],
    [
      'two events of one kind',
      'Explosion on bus in Kenya capital kills at least 5',
      'Riot in Kenya after bus bombing kills 7 in capital',
      false,
    ],
    [
      'a long and a short one',
      'Charles Johnson criticizes unnamed Panthers teammates on Twitter after Bucs loss',
      "An 'Encore' Life Beckons ... on the Far Side of Midlife",
      false,
    ],
  ])('its table of headlines: %s', (_, a, b, same) => {
    for (const sign of [signature, plainSignature]) {
      const far = distance(sign({ title: a }).simhash, sign({ title: b }).simhash)
      if (same) expect(far).toBeLessThanOrEqual(12)
      else expect(far).toBeGreaterThan(12)
    }
    const bySimhash = createCopyIndex({ mode: 'simhash' }).addAll([item(a, ''), item(b, '', START + HOUR)])
    expect(bySimhash.map(({ size }) => size)).toEqual(same ? [2, 2] : [1, 1])
    const sizes = (textA: string, textB: string) =>
      createCopyIndex()
        .addAll([item(a, textA), item(b, textB, START + HOUR)])
        .map(({ size }) => size)
    expect(sizes('', '')).toEqual(same ? [2, 2] : [1, 1])
    const [ofA, ofB] = [story(1).summary, story(2).summary]
    expect(sizes(`${a}: ${ofA}`, `${b}: ${same ? ofA : ofB}`)).toEqual(same ? [2, 2] : [1, 1])
  })

  test.each(['', 'Here is all you need to start the day.', LEAD])(
    'daily lists of ten things are not grouped: "%s"',
    (summary) => {
      const copies = createCopyIndex({ windowDays: 30 })
      const stories = createCopyIndex({ windowDays: 30, level: 'story' })
      const days = [16, 17, 18].map((day) => item(`10 things to know today: November ${day}, 2012`, summary))
      const placed = copies.addAll(days)
      expect(placed.map(({ size }) => size)).toEqual([1, 1, 1])
      expect(placed[2]?.evidence.reason).toBe('same headline frame, other number or date: kept apart')
      expect(stories.addAll(days).map(({ size }) => size)).toEqual([1, 1, 1])
    },
  )

  test('reports on the superstorm in five feeds form one group', () => {
    const title = "New York goes on recovering from 'Superstorm' - Voice of the Coast (blog)"
    const body =
      "New York goes on recovering from 'Superstorm' Voice of the Coast (blog) Many New Yorkers lack vital supplies."
    const index = createCopyIndex()
    const placed = ['The Press Union', 'CBN.example', 'CBN.example', 'CBN.example', 'The Press Union'].map(
      (agency, i) => index.add(item(title, `${agency}${body}`, START + i * HOUR)),
    )
    expect(new Set(placed.map(({ group }) => group)).size).toBe(1)
    const group = index.group(placed[0]!.group)
    expect(group?.members).toHaveLength(5)
    expect(group?.primary).toBe(placed[1]!.id)
    expect(group?.members.find(({ id }) => id === group.primary)?.distance).toBe(0)
    expect(Math.max(...group!.members.map((member) => member.distance))).toBeLessThanOrEqual(12)
  })

  test('plain SimHash, for comparison, groups what verification keeps apart', () => {
    const plain = createCopyIndex({ mode: 'simhash', threshold: 12 })
    const [first, second] = [16, 17].map((day) => plain.add(item(`10 things to know: November ${day}, 2012`, LEAD)))
    expect(second).toMatchObject({ group: first!.group, size: 2 })
    expect(second?.evidence.reason).toBe(`${second?.distance} of 64 bits differ`)
    expect(plain.add(item('Goose found in bakery')).size).toBe(1)
  })
})

describe('groups', () => {
  test('elect the member nearest to all others as primary, the earliest on ties, and keep their id', () => {
    const index = createCopyIndex()
    const texts = [LEAD.replace('quarrel of nine', 'bitter fight over eleven'), LEAD, LEAD]
    const [first, second, third] = texts.map((text, i) =>
      index.add(item('Council approves tram line', text, START + i)),
    ) as [Placement, Placement, Placement]
    expect(second).toMatchObject({ group: first.id, primary: first.id, size: 2 })
    expect(third).toMatchObject({ group: first.id, primary: second.id, distance: 0, size: 3 })
  })

  test('are merged by an item that belongs to both, without orphans', () => {
    const index = createCopyIndex({ windowDays: 7 })
    const title = 'Council approves tram line to harbour at last'
    const [early, late, late2, between] = [0, 10, 10, 5].map((day) =>
      index.add(item(title, day === 5 ? LEAD.replace('nine', 'eight') : LEAD, START + day * DAY)),
    )
    expect([early!.size, late!.size, late2!.group]).toEqual([1, 1, late!.id])
    expect(index.group(early!.id)?.members.map(({ id }) => id)).toEqual([early!.id, late!.id, late2!.id, between!.id])
    expect(index.group(late!.id)).toBeUndefined()
    expect(between!.joined).toContain(early!.id)
    expect(between).toMatchObject({ group: early!.id, merged: [late!.id], size: 4 })
  })

  const words = Array.from({ length: 120 }, (_, i) => story(i, 8).title.split(' ')[0]!)

  test('are not connected by an item that is similar to both', () => {
    const index = createCopyIndex()
    const title = 'Council approves tram line to harbour at last'
    const head = index.add(item(title, words.slice(0, 20).join(' '), START))
    const tail = index.add(item(title, words.slice(14, 34).join(' '), START + 1))
    const both = index.add(item(title, words.slice(0, 34).join(' '), START + 2))
    expect([head.size, tail.size, both.size, both.merged]).toEqual([1, 1, 2, []])
    expect(both.joined).toHaveLength(1)
  })

  test('do not chain: an item similar only to the last member is not a member', () => {
    const index = createCopyIndex()
    const title = 'Council approves tram line to harbour at last'
    const sizes = Array.from({ length: 23 }, (_, i) => {
      return index.add(item(title, words.slice(4 * i, 4 * i + 28).join(' '), START + i)).size
    })
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10)
  })

  test('compare with primaries only under plain SimHash, and do not chain', () => {
    const index = createCopyIndex({ mode: 'simhash', threshold: 10 })
    const signed = (bits: number) => ({
      ...signature({ title: 'any' }),
      simhash: 2n ** BigInt(bits) - 1n,
      plain: true as const,
    })
    const placed = [0, 8, 16, 24, 32].map((bits) => index.add({ ...item('any'), signature: signed(bits) }))
    expect(placed.map(({ joined }) => joined.length)).toEqual([0, 1, 0, 1, 0])
    for (const { distance } of placed) expect(distance).toBeLessThanOrEqual(10)
  })

  test('include new versions of their members', () => {
    const index = createCopyIndex()
    const first = item('Council approves tram line', LEAD)
    index.add(first)
    const again = index.add({ ...first, summary: `${LEAD} More follows.` })
    expect(again).toMatchObject({ group: first.id, evidence: { reason: 'another version of the same item' } })
  })

  test('have evidence that names the similar item', () => {
    const index = createCopyIndex({ windowDays: 2 })
    const first = index.add(item('Council approves tram line', LEAD))
    expect(first.evidence).toEqual({ likeness: 0, reason: 'nothing like it in 2 days' })
    const second = index.add(item('Council approves tram line', LEAD.replace('nine', 'eight')))
    expect(second.evidence).toMatchObject({ like: first.id, reason: 'same text but for 1 word' })
  })
})

describe('removal', () => {
  const tram = (text = LEAD, at = START) => item('Council approves tram line', text, at)

  test('a removed item is no longer found, and leaves its group', () => {
    const index = createCopyIndex()
    const [first, second, third] = [0, 1, 2].map((i) => index.add(tram(LEAD, START + i))) as [
      Placement,
      Placement,
      Placement,
    ]
    index.forget([first.id, 999_999])
    expect(index.group(first.group)).toMatchObject({
      primary: second.id,
      members: [{ id: second.id }, { id: third.id }],
    })
    index.forget([second.id, third.id, third.id])
    expect(index.group(first.group)).toBeUndefined()
    const alone = tram()
    expect(index.add(alone)).toMatchObject({ group: alone.id, size: 1, joined: [] })
  })

  test.each(['copy', 'story'] as const)('a changed item joins what it is similar to now, as %s', (level) => {
    const index = createCopyIndex({ level })
    const goose = { title: 'Goose found in bakery of Varnby', summary: story(3).summary }
    const [a, b, c] = [tram(), tram(), item(goose.title, goose.summary)]
    for (const one of [a, b, c]) index.add(one)
    index.forget([a.id])
    expect(index.add({ ...a, ...goose })).toMatchObject({ group: c.id, size: 2, joined: [c.id] })
    const later = index.add(tram())
    expect(later).toMatchObject({ size: 2, joined: [b.id] })
    expect(index.group(later.group)?.members.map(({ id }) => id)).toEqual([b.id, later.id])
  })

  test('a removal does not affect items that replace it in the ring', () => {
    const index = createCopyIndex({ capacity: 64 })
    for (let i = 0; i < 500; i++) {
      const [one, two] = [tram(LEAD, START + i), tram(LEAD, START + i)]
      expect([index.add(one).size, index.add(two).size]).toEqual([1, 2])
      index.forget([one.id, two.id])
    }
  })
})

describe('forgetting', () => {
  test('items further apart than the window are not joined', () => {
    const index = createCopyIndex({ windowDays: 2 })
    const at = (days: number) => index.add(item('Council approves tram line', LEAD, START + days * DAY))
    expect(at(0).size).toBe(1)
    expect(at(2).size).toBe(2)
    expect(at(4).size).toBe(3)
    expect(at(7).size).toBe(1)
  })

  test('a full index evicts the oldest items, and groups end with their last member', () => {
    const index = createCopyIndex({ capacity: 100 })
    const first = index.add(item('Council approves tram line', LEAD))
    index.add(item('Council approves tram line', LEAD))
    for (let i = 0; i < 99; i++) {
      const { title, summary } = story(i)
      index.add(item(title, summary))
    }
    expect(index.size).toBe(100)
    expect(index.group(first.group)?.members).toHaveLength(1)
    const third = index.add(item('Council approves tram line', LEAD))
    expect(third.size).toBe(1)
    expect(index.group(first.group)).toBeUndefined()
  })

  test('an item overwritten by the end of its batch gets its current group', () => {
    const index = createCopyIndex({ capacity: 3 })
    const copies = [0, 1, 2, 3].map((hour) => item('Council approves tram line', LEAD, START + hour * HOUR))
    const [first] = index.addAll(copies)
    expect(first).toMatchObject({ group: copies[0]!.id, primary: copies[1]!.id, distance: 0, size: 3 })
  })

  test('finds exactly the items that are held after the ring was filled many times', () => {
    const index = createCopyIndex({ capacity: 64 })
    for (let i = 0; i < 1000; i++) {
      const { title, summary } = story(i)
      expect(index.add(item(title, summary)).size).toBe(1)
      if (i >= 10) {
        const copied = story(i - 10)
        expect(index.add(item(copied.title, copied.summary)).size).toBe(2)
      }
    }
    expect(index.size).toBe(64)
  })
})

describe('robustness', () => {
  test('thousands of identical texts form one group, and each is compared with only one other', () => {
    const index = createCopyIndex()
    const placed = Array.from({ length: 5_000 }, (_, i) =>
      index.add(item('Council approves tram line', LEAD, START + i)),
    )
    expect(placed.at(-1)).toMatchObject({ group: placed[0]!.id, primary: placed[0]!.id, size: 5_000 })
    expect(index.compared).toBe(4_999)
  })

  test('boilerplate of a publisher joins nothing, and costs a bounded number of comparisons', () => {
    const index = createCopyIndex()
    const stories = createCopyIndex({ level: 'story' })
    const boilerplate =
      'Read all about it in our weekend edition, which you can order at the kiosk or from our web shop.'
    for (let i = 0; i < 500; i++) {
      const one = item(story(i).title, boilerplate)
      expect([index.add(one).size, stories.add(one).size]).toEqual([1, 1])
    }
    expect(index.compared).toBeLessThanOrEqual(500 * 12)
    expect(stories.compared).toBeLessThanOrEqual(500 * 5)
  })

  test('texts of a megabyte are compared by their beginning', () => {
    const index = createCopyIndex()
    const tail = `${story(7, 3000).summary} `.repeat(40)
    const first = index.add(item('Council approves tram line', `${LEAD} ${tail}`))
    const second = index.add(item('Council approves tram line', `${LEAD.replace('nine', 'ten')} ${tail}${tail}`))
    const other = index.add(item('Goose found in bakery', `${story(8).summary} ${tail}`))
    expect(tail.length).toBeGreaterThan(1_000_000)
    expect([second.group, other.group]).toEqual([first.id, other.id])
  })

  test.each(['copy', 'story'] as const)('empty texts, one-word titles and signs join nothing as %s', (level) => {
    const index = createCopyIndex({ level })
    for (const title of ['', 'Photos', '!!!', '…', '7', 'a b']) {
      expect([title, index.add(item(title)).size]).toEqual([title, 1])
      if (title !== 'a b') expect([title, index.add(item(title)).size]).toEqual([title, 1])
    }
  })

  test('rejects an invalid window or capacity', () => {
    expect(() => createCopyIndex({ windowDays: 0 })).toThrow('windowDays')
    expect(() => createCopyIndex({ capacity: 1e9 })).toThrow('capacity')
  })
})

/** A few texts, many variants: enough for groups to be founded, joined and merged. */
const batch = fc
  .array(fc.record({ text: fc.nat(5), drop: fc.nat(12), at: fc.nat(50) }), { minLength: 1, maxLength: 40 })
  .map((some) =>
    some.map(({ text, drop, at }, i): Item => {
      const { title, summary } = story(text)
      const words = summary.split(' ')
      words.splice(drop, drop % 4)
      return { id: i + 1, at: START + at * HOUR, title, summary: words.join(' ') }
    }),
  )

describe.each(['copy', 'story'] as const)('at the level of %s', (level) => {
  test('does not depend on the order within a batch', () => {
    fc.assert(
      fc.property(batch, fc.infiniteStream(fc.nat()), (items, order) => {
        const shuffled = items.map((one) => ({ one, key: order.next().value! })).sort((a, b) => a.key - b.key)
        const straight = createCopyIndex({ level }).addAll(items)
        const crooked = createCopyIndex({ level }).addAll(shuffled.map(({ one }) => one))
        const byId = new Map(crooked.map((placement) => [placement.id, placement]))
        for (const placement of straight) expect(byId.get(placement.id)).toEqual(placement)
      }),
    )
  })

  test('continues after a restore from the store', () => {
    fc.assert(
      fc.property(batch, fc.nat(40), (items, cut) => {
        const inOrder = items.toSorted((a, b) => a.at - b.at || a.id - b.id)
        const first = createCopyIndex({ level })
        const known = new Map<number, KnownItem>()
        for (const one of inOrder.slice(0, cut)) {
          const { id, group, merged } = first.add(one)
          for (const other of known.values()) if (merged.includes(other.group)) other.group = group
          known.set(id, { id, at: one.at, signature: signature(one), group })
        }
        const second = createCopyIndex({ level })
        const inPieces = [...known.values()]
        for (let i = 0; i < inPieces.length; i += 3) second.restore(inPieces.slice(i, i + 3))
        expect(second.size).toBe(first.size)
        for (const one of inOrder.slice(cut)) expect(second.add(one)).toEqual(first.add(one))
      }),
    )
  })

  test('every item is in the group that was last reported, and groups have no other members', () => {
    fc.assert(
      fc.property(batch, (items) => {
        const index = createCopyIndex({ level })
        const groups = new Map<number, number>()
        for (const one of items.toSorted((a, b) => a.at - b.at || a.id - b.id)) {
          const { id, group, merged, size, primary } = index.add(one)
          for (const [member, of] of groups) if (merged.includes(of)) groups.set(member, group)
          groups.set(id, group)
          const members = [...groups].filter(([, of]) => of === group).map(([member]) => member)
          expect(size).toBe(members.length)
          expect(members).toContain(primary)
          if (size > 1)
            expect(
              index
                .group(group)
                ?.members.map((member) => member.id)
                .sort(),
            ).toEqual(members.sort())
        }
      }),
    )
  })
})

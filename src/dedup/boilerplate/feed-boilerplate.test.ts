import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boilerplateOfFeed, commonBoilerplate, type Shown } from './feed-boilerplate.ts'

const START = Date.UTC(2026, 2, 1)
const NEWSLETTER = 'Sign up for our free letter and get the news of Port Else every morning, free of charge.'

const NEWS: [title: string, text: string][] = [
  ['Ferry strike ends after nine days', 'Crews return to their boats on Monday.'],
  ['Goose found among loaves', 'A bakery in Varnby has a new guest.'],
  ['Museum buys forged landscape', 'Experts noticed the wrong shade of green.'],
  ['Drought empties northern reservoirs', 'Farmers sell their cattle early.'],
  ['Chess champion resigns quickly', 'Twelve moves were enough for the challenger.'],
  ['Parliament debates bicycle tax', 'Owners would pay nine crowns for each wheel.'],
]

function shownEntry([title, text]: readonly [string, string], i: number, feedId = 1): Shown {
  return { id: i + 1 + feedId * 1000, at: START + i, feedId, title, text }
}

describe('boilerplate of a feed', () => {
  test.each([
    ['behind', (text: string) => `${text} ${NEWSLETTER}`],
    ['in front', (text: string) => `${NEWSLETTER} ${text}`],
    ['in a line of its own', (text: string) => `${text.slice(0, -1)}\n${NEWSLETTER}`],
  ])('is taken off from the first poll on, %s', (_, put) => {
    const window = NEWS.map(([title, text], i) => shownEntry([title, put(text)], i))
    const { without } = boilerplateOfFeed(undefined, window)
    for (const [i, { title, text }] of window.entries()) {
      const own = without({ title, text })
      expect(own.title).toBe(title)
      expect(own.text.trim().replace(/\.$/, '')).toBe(NEWS[i]![1].replace(/\.$/, ''))
    }
  })

  test('is detected even if it repeats the title', () => {
    const window = NEWS.map(([title, text], i) =>
      shownEntry([title, `${text} The post ${title} appeared first on Port Else Post.`], i),
    )
    const { without } = boilerplateOfFeed(undefined, window)
    expect(window.map((one) => without(one).text.trim())).toEqual(NEWS.map(([, text]) => text))
  })

  test.each([
    ['behind', (title: string) => `${title} | The Port Else Evening Messenger and Courier`],
    ['in front', (title: string) => `Region: ${title}`],
  ])('is taken off headlines, %s', (_, put) => {
    const window = NEWS.map(([title, text], i) => shownEntry([put(title), text], i))
    const { without } = boilerplateOfFeed(undefined, window)
    expect(window.map((one) => without(one).title.trim())).toEqual(NEWS.map(([title]) => title))
  })

  test('does not include labels of only some titles, which may be stories', () => {
    const storm = NEWS.map(([title, text], i) => shownEntry([i < 3 ? `Storm Bertha: ${title}` : title, text], i))
    const more = NEWS.map(([title, text], i) => shownEntry([`${title} again`, text], i + 10))
    expect(boilerplateOfFeed(undefined, [...storm, ...more]).without(storm[0]!).title).toBe(storm[0]!.title)
  })

  test('may be the whole text of an entry', () => {
    const { without } = boilerplateOfFeed(
      undefined,
      NEWS.map(([title], i) => shownEntry([title, NEWSLETTER], i)),
    )
    expect(without({ title: NEWS[0]![0], text: NEWSLETTER }).text).toBe('')
  })

  test('is learned if all titles are of one column but the entries continue differently', () => {
    const window = NEWS.map(([, text], i) => shownEntry([`The week: part ${i}`, `${NEWSLETTER} ${text}`], i))
    expect(boilerplateOfFeed(undefined, window).without(window[0]!).text).toBe(NEWS[0]![1])
  })

  test('is detected in feeds about a single subject', () => {
    const window = NEWS.map(([title, text], i) => shownEntry([`Varnby Rovers: ${title}`, `${text} ${NEWSLETTER}`], i))
    const named = NEWS.map(([title, text], i) => shownEntry([`Rovers ${title}`, `${text} ${NEWSLETTER}`], i))
    for (const some of [window, named])
      expect(boilerplateOfFeed(undefined, some).without(some[0]!).text.trim()).toBe(NEWS[0]![1])
  })

  test('is forgotten when the feed no longer contains it', () => {
    let { memory } = boilerplateOfFeed(
      undefined,
      NEWS.map(([title, text], i) => shownEntry([title, `${text} ${NEWSLETTER}`], i)),
    )
    for (let day = 1; day < 5; day++) {
      const plain = NEWS.map(([title, text], i) => shownEntry([`${title} ${'abcde'[day]}lpha`, text], i + day * 10))
      memory = boilerplateOfFeed(memory, plain).memory
    }
    expect(boilerplateOfFeed(memory, []).without({ title: 'Any', text: NEWSLETTER }).text).toBe(NEWSLETTER)
  })
})

describe('news', () => {
  const LEAD = 'A ferry with forty people on board ran aground off Port Else on Sunday evening.'

  test('is not boilerplate if a feed repeats it, because its titles are about it', () => {
    const entries = [
      'Ferry runs aground off Port Else',
      'Forty people on stranded ferry',
      'Port Else ferry: all forty people safe',
      'Captain of stranded ferry questioned',
      'Ferry to be towed to Port Else on Sunday',
    ].map((title, i) => shownEntry([title, LEAD], i))
    const window = [...entries, ...NEWS.slice(1).map((news, i) => shownEntry(news, i + 20))]
    expect(boilerplateOfFeed(undefined, window).without(entries[0]!)).toMatchObject({
      title: entries[0]!.title,
      text: LEAD,
    })
  })

  test('is not boilerplate if many feeds take it from an agency under different titles', () => {
    const titles = [
      'Ferry aground',
      'Forty rescued off Port Else',
      'Sunday drama at sea',
      'People wait on board',
      'Ran out of luck',
    ]
    const all = titles.map((title, i) => shownEntry([title, LEAD], i, i + 1))
    expect(commonBoilerplate(undefined, all).without(all[0]!).text).toBe(LEAD)
  })

  test('is not boilerplate if an entry is updated often', () => {
    let memory: Uint8Array | undefined
    for (const [title] of NEWS)
      memory = boilerplateOfFeed(memory, [{ ...shownEntry([title, LEAD], 0), at: START }]).memory
    expect(boilerplateOfFeed(memory, []).without({ title: 'Any', text: LEAD }).text).toBe(LEAD)
  })
})

describe('boilerplate of many feeds', () => {
  const window = NEWS.map(([title, text], i) => shownEntry([title, `${text} ${NEWSLETTER}`], i, i + 1))

  test('is detected even if each feed contains it once', () => {
    expect(boilerplateOfFeed(undefined, [window[0]!]).without(window[0]!).text).toBe(window[0]!.text)
    const { without } = commonBoilerplate(undefined, window)
    expect(window.map((one) => without(one).text.trim())).toEqual(NEWS.map(([, text]) => text))
  })

  test('is remembered longer than the entries that contained it', () => {
    let { memory } = commonBoilerplate(undefined, window)
    for (let i = 0; i < 200; i++)
      memory = commonBoilerplate(memory, [shownEntry([`Number ${i} alpha`, `Text ${i} of its own.`], i, 99)]).memory
    expect(commonBoilerplate(memory, []).without(window[0]!).text.trim()).toBe(NEWS[0]![1])
  })
})

describe('the memory', () => {
  const sentences = fc.array(fc.constantFrom(NEWSLETTER, ...NEWS.map(([, text]) => text)), { maxLength: 40 })
  const entry = fc.record({
    id: fc.nat(50),
    at: fc.nat(9),
    feedId: fc.nat(3),
    title: fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom(...NEWS.map(([title]) => title))),
    text: fc.oneof(
      fc.string({ unit: 'grapheme' }),
      sentences.map((some) => some.join(' ')),
    ),
  })

  test('does not depend on the order within a batch, and stays small', () => {
    const batches = fc.array(fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 40 }), { maxLength: 4 })
    fc.assert(
      fc.property(batches, (all) => {
        let [memory, other]: (Uint8Array | undefined)[] = []
        for (const batch of all) {
          memory = boilerplateOfFeed(memory, batch).memory
          other = boilerplateOfFeed(other, batch.toReversed()).memory
          expect(memory.length).toBeLessThan(2048)
          expect(commonBoilerplate(undefined, batch).memory.length).toBeLessThan(8192)
        }
        expect(memory).toEqual(other)
      }),
    )
  })

  test('is discarded if it has another format', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        for (const memory of [bytes, Uint8Array.of(1, ...bytes)])
          expect(() =>
            boilerplateOfFeed(
              memory,
              NEWS.map((news, i) => shownEntry(news, i)),
            ),
          ).not.toThrow()
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EntryDraft, HOUR, type KnownEntry, textHash } from '../../model/index.ts'
import { entrySignatures, normalizeUrl, reconcile } from './reconcile.ts'

const seenAt = 1_000

function entry(key: string, title = `Title of ${key}`, url = `https://example.org/${key}`): EntryDraft {
  return { key, title, url }
}

function knowing(...entries: EntryDraft[]): Map<string, KnownEntry> {
  return new Map(entries.map(({ key, title, url }) => [key, { title, seenAt, ...(url !== undefined && { url }) }]))
}

describe('reconcile', () => {
  it('returns entries with unknown keys as fresh, in window order', () => {
    const { fresh, changed, gap } = reconcile([entry('c'), entry('b'), entry('a')], knowing(entry('b')), false)
    expect(fresh.map(({ key }) => key)).toEqual(['c', 'a'])
    expect(changed).toEqual([])
    expect(gap).toBe(false)
  })

  it('returns each key once, even if the window repeats it', () => {
    const { fresh } = reconcile([entry('a', 'first'), entry('b'), entry('a', 'second')], new Map(), true)
    expect(fresh).toEqual([entry('a', 'first'), entry('b')])
  })

  it('detects changed text, ignores counters, and reports at most one text change per hour', () => {
    const before = { ...entry('a'), content: '<p>The mayor resigns. 3 comments</p>' }
    const hash = textHash(before)!
    const changedBy = (content: string | undefined, changedAt?: number) => {
      const known = {
        title: before.title,
        url: before.url!,
        seenAt,
        textHash: hash,
        ...(changedAt !== undefined && { changedAt }),
      }
      const draft = { ...entry('a'), ...(content !== undefined && { content }) }
      return reconcile([draft], new Map([['a', known]]), false, undefined, 10 * HOUR).changed.length
    }
    expect(changedBy('<p>The mayor refuses to resign. 3 comments</p>')).toBe(1)
    expect(changedBy('<p class="new">The mayor resigns. 40 comments</p>')).toBe(0)
    expect(changedBy(undefined)).toBe(0)
    expect(changedBy('Another lottery', 9.5 * HOUR)).toBe(0)
    expect(changedBy('Another lottery', 9 * HOUR)).toBe(1)
  })

  it('is stable for a key shared by two entries', () => {
    const window = [entry('same', 'one'), entry('same', 'two')]
    expect(reconcile(window, knowing(entry('same', 'one')), false).changed).toEqual([])
  })

  it.each<[string, EntryDraft, EntryDraft, boolean]>([
    ['the same', entry('a'), entry('a'), false],
    ['another title', entry('a', 'old'), entry('a', 'new'), true],
    ['another address', entry('a', 't', 'https://example.org/1'), entry('a', 't', 'https://example.org/2'), true],
    ['another host case', entry('a', 't', 'https://Example.ORG/1'), entry('a', 't', 'https://example.org/1'), false],
    [
      'another campaign',
      entry('a', 't', 'https://example.org/1?id=7&utm_source=rss&utm_medium=feed'),
      entry('a', 't', 'https://example.org/1?id=7&utm_source=mail&fbclid=x'),
      false,
    ],
    ['another id', entry('a', 't', 'https://example.org/1?id=7'), entry('a', 't', 'https://example.org/1?id=8'), true],
    ['another fragment', entry('a', 't', 'https://example.org/#1'), entry('a', 't', 'https://example.org/#2'), true],
    ['an address at last', { key: 'a', title: 't' }, entry('a', 't'), true],
    ['no address any more', entry('a', 't'), { key: 'a', title: 't' }, false],
    ['no title any more', entry('a', 't'), entry('a', ''), false],
    ['addresses that are none', entry('a', 't', 'urn:x:1'), entry('a', 't', 'not an address'), true],
  ])('detects changes: %s', (_, before, now, isChange) => {
    const { fresh, changed } = reconcile([now], knowing(before), false)
    expect(fresh).toEqual([])
    expect(changed).toEqual(isChange ? [now] : [])
  })

  it('completes entries that were stored without extras, unless they changed anyway', () => {
    const [bare, whole] = [{ title: 't', seenAt: 1, bare: true } as const, { title: 't', seenAt: 1 }]
    const window = ['a', 'b', 'c', 'd'].map((key) => ({ key, title: key === 'c' ? 'other' : 't', tags: ['sea'] }))
    const known = new Map<string, KnownEntry>([
      ['a', bare],
      ['b', whole],
      ['c', bare],
      ['d', 'forgotten'],
    ])
    const { completed, changed } = reconcile([...window, { key: 'a', title: 't' }], known, false)
    expect([completed, changed].map((entries) => entries.map(({ key }) => key))).toEqual([['a'], ['c']])
  })
  it('treats forgotten entries as known, neither fresh nor changed', () => {
    const result = reconcile([entry('a', 'whatever')], new Map([['a', 'forgotten' as const]]), false)
    expect(result).toEqual({ fresh: [], changed: [], completed: [], gap: false })
  })

  it.each<[string, EntryDraft[], Map<string, KnownEntry>, boolean, boolean]>([
    ['nothing is known', [entry('a')], new Map(), false, true],
    ['one is known', [entry('a'), entry('b')], knowing(entry('b')), false, false],
    ['it is the first reading', [entry('a')], new Map(), true, false],
    ['the window is empty', [], new Map(), false, false],
  ])('detects a gap: %s', (_, window, known, first, gap) => {
    expect(reconcile(window, known, first).gap).toBe(gap)
  })

  it('recognizes entries of a feed that changes its guids, by signature', () => {
    const yesterday = [entry('x1', 'One', 'https://example.org/1'), entry('x2', 'Two', 'https://example.org/2')]
    const today = [
      entry('y3', 'Three', 'https://example.org/3'),
      entry('y2', 'Two', 'https://example.org/2?utm_source=rss'),
      entry('y1', 'One', 'https://example.org/1'),
    ]
    expect(reconcile(today, new Map(), false).gap).toBe(true)
    const again = reconcile(today, new Map(), false, entrySignatures(yesterday))
    expect(again).toEqual({ fresh: [today[0]], changed: [], completed: [], gap: false })
  })

  it('recognizes them by title and date where the addresses also change', () => {
    const before = { key: '1', title: 'One', url: 'https://example.org/?session=1', publishedAt: 5 }
    const now = { key: '2', title: 'One', url: 'https://example.org/?session=2', publishedAt: 5 }
    expect(reconcile([now], new Map(), false, entrySignatures([before])).fresh).toEqual([])
  })

  it('does not take a new entry for an old one by its address or title alone', () => {
    const signatures = entrySignatures([
      entry('1', 'Weather', 'https://example.org/weather'),
      entry('0', '', 'https://example.org/weather'),
    ])
    const news = [
      entry('2', 'Rain', 'https://example.org/weather'),
      entry('3', 'Weather', 'https://example.org/weather/2'),
      { key: '4', title: '', url: 'https://example.org/weather' },
      { key: '5', title: 'Weather' },
    ]
    expect(reconcile(news, new Map(), false, signatures).fresh).toEqual(news)
  })

  it('returns each key in at most one list, and finds nothing new the second time', () => {
    const drafts = fc.array(fc.record({ key: fc.string({ maxLength: 2 }), title: fc.string(), url: fc.string() }))
    fc.assert(
      fc.property(drafts, drafts, (before, window) => {
        const known = knowing(...before)
        const { fresh, changed } = reconcile(window, known, false)
        const keys = [...fresh, ...changed].map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
        expect(fresh.every(({ key }) => !known.has(key))).toBe(true)
        const after = new Map([...known, ...knowing(...fresh, ...changed)])
        expect(reconcile(window, after, false)).toEqual({ fresh: [], changed: [], completed: [], gap: false })
      }),
    )
  })
})

describe('normalizeUrl', () => {
  it.each([
    ['https://EXAMPLE.org', 'https://example.org/'],
    ['https://example.org/a?utm_source=x', 'https://example.org/a'],
    ['https://example.org/a?b=%20&gclid=1&c', 'https://example.org/a?b=%20&c'],
    ['https://example.org/a?utmost=1', 'https://example.org/a?utmost=1'],
    ['nothing', undefined],
  ])('%s', (address, comparable) => {
    expect(normalizeUrl(address)).toBe(comparable)
  })
})

/** What becomes of articles: every result on every article, and every want. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { ArticleId, ArticleLife, ArticleResult, ArticleState } from '../../model/index.ts'
import { afterFetch, type BeforeFetch } from './after-fetch.ts'
import { goneWith } from './remove-article.ts'
import { type Enlisting, enlisted } from './want-article.ts'

const NOW = 1000
const PAGE = address('https://x.example/page')
const ELSEWHERE = address('https://y.example/page')
const FAILURE = { kind: 'http', status: 404 } as const

function article(state: ArticleState, more: Partial<ArticleLife> = {}): ArticleLife {
  const facts = state === 'read' ? { triedAt: 500, fetchedAt: 500, reads: 1, pageUrl: PAGE } : {}
  const common = { id: 1 as ArticleId, url: PAGE, root: 'x.example', wantedAt: 100, newsAt: 90, failures: 0, reads: 0 }
  return { ...common, state, ...facts, ...more }
}

const read: ArticleResult = {
  kind: 'read',
  pageUrl: PAGE,
  facts: { words: 3 },
  content: { text: 'three words here', html: '<p>three words here</p>' },
  page: { url: PAGE, at: NOW, status: 200, headers: {}, body: new Uint8Array(3) },
}
const same: ArticleResult = { kind: 'same', sameAs: 2 as ArticleId, pageUrl: PAGE }
const elsewhere: ArticleResult = { kind: 'elsewhere', to: ELSEWHERE, root: 'y.example' }
const failed: ArticleResult = { kind: 'failed', failure: FAILURE, state: 'failed' }
const refused: ArticleResult = { kind: 'failed', failure: FAILURE, state: 'refused' }

function fetched(before: ArticleLife, result: ArticleResult, more: Partial<BeforeFetch> = {}, at = NOW) {
  return afterFetch({ article: before, ...more }, result, at)
}

describe('an article that was fetched', () => {
  it('is read: its text and page are written, its entries are indexed and placed', () => {
    const before = article('waiting', { dueAt: 900, failures: 2, trouble: FAILURE, ledTo: { url: ELSEWHERE, hops: 3 } })
    expect(fetched(before, read)).toEqual({
      article: article('read', { triedAt: NOW, fetchedAt: NOW, ledTo: { url: ELSEWHERE, hops: 0 } }),
      text: 'write',
      page: 'write',
      reindex: true,
      placeAgain: true,
    })
  })

  it('loses the page that it had, where the new one must not be kept', () => {
    const { page: _, ...unkept } = { ...read, noArchive: true as const }
    expect(fetched(article('read'), unkept)).toMatchObject({ page: 'drop', article: { noArchive: true, reads: 2 } })
    expect(fetched(article('read', { noArchive: true }), read)?.article).not.toHaveProperty('noArchive')
  })

  it('is the page of another: that gets its entries, and is as new as the newer of both', () => {
    const other = article('read', { id: 2 as ArticleId, newsAt: 80 })
    const found = fetched(article('read', { dueAt: 900, noArchive: true }), same, { other })
    expect(found).toMatchObject({ text: 'drop', page: 'drop', reindex: true, placeAgain: true })
    expect(found?.article).toEqual({
      ...article('same', { triedAt: NOW, reads: 1, pageUrl: PAGE, sameAs: other.id }),
    })
    expect(found?.movedTo).toEqual({ ...other, newsAt: 90 })
  })

  it('waits elsewhere as it did here, and counts how often in a row it was sent on', () => {
    const once = fetched(article('waiting', { dueAt: 900 }), elsewhere)!
    expect(once.article).toEqual(
      article('waiting', { dueAt: 900, root: 'y.example', ledTo: { url: ELSEWHERE, hops: 1 } }),
    )
    expect(once).toMatchObject({ text: 'keep', page: 'keep', reindex: false, placeAgain: false })
    const back: ArticleResult = { kind: 'elsewhere', to: PAGE, root: 'x.example' }
    expect(fetched(once.article, back)?.article.ledTo).toEqual({ url: PAGE, hops: 2 })
  })

  const TROUBLE = { failures: 1, trouble: FAILURE, triedAt: NOW }
  it.each<[string, ArticleLife, ArticleResult, ArticleState, 'keep' | 'drop']>([
    ['could not be had', article('waiting'), failed, 'failed', 'keep'],
    ['could not be had again', article('read'), failed, 'read', 'keep'],
    ['is refused', article('waiting'), refused, 'refused', 'drop'],
    ['is refused now', article('read'), refused, 'refused', 'drop'],
    ['is to be tried later', article('waiting'), { ...failed, dueAt: 2000 }, 'waiting', 'keep'],
    ['is to be read later', article('read'), { ...failed, dueAt: 2000 }, 'read', 'keep'],
  ])('that %s', (_, before, result, state, content) => {
    const found = fetched(before, result)!
    expect(found.article).toMatchObject({ ...TROUBLE, state })
    expect(found.article.dueAt).toBe('dueAt' in result ? result.dueAt : undefined)
    expect(found).toMatchObject({ text: content, page: content, placeAgain: false })
    expect(found.reindex).toBe(content === 'drop' && before.state === 'read')
  })
})

describe('a result is void', () => {
  const waiting = article('waiting', { dueAt: 900 })
  it.each<[string, ArticleLife, ArticleResult, Partial<BeforeFetch>]>([
    ['when the article turned out to be another', article('same', { sameAs: 2 as ArticleId }), read, {}],
    ['when it was tried since', { ...waiting, triedAt: NOW }, read, {}],
    ['when it is said to be one that is gone', waiting, same, {}],
    [
      'when it is said to be one that was not read',
      waiting,
      same,
      { other: article('failed', { id: 2 as ArticleId }) },
    ],
    ['when it is said to be itself', article('read'), same, { other: article('read') }],
    ['when it was led there before', { ...waiting, ledTo: { url: ELSEWHERE, hops: 1 } }, elsewhere, {}],
  ])('%s', (_, before, result, more) => {
    expect(fetched(before, result, more)).toBeUndefined()
  })
})

describe('a page that an entry points at', () => {
  const page: Enlisting = { url: PAGE, root: 'x.example' }
  const again = { afterMs: 600, most: 3 }

  it('is due at once, where nobody has asked for it', () => {
    expect(enlisted({}, page, 90, NOW)).toEqual({
      added: {
        url: PAGE,
        root: 'x.example',
        state: 'waiting',
        wantedAt: NOW,
        newsAt: 90,
        dueAt: NOW,
        failures: 0,
        reads: 0,
      },
      toFetch: true,
      relink: true,
      hasMore: false,
    })
  })

  it('is shared, and becomes as new as its newest entry', () => {
    const known = article('waiting', { dueAt: 900 })
    expect(enlisted({ known }, page, 95, NOW)).toEqual({
      changed: { ...known, newsAt: 95 },
      toFetch: false,
      relink: true,
      hasMore: false,
    })
    const nothing = { toFetch: false, relink: false, hasMore: false }
    expect(enlisted({ known, linked: known }, page, 80, NOW)).toEqual(nothing)
  })

  it('gives an entry its text at once, if it was read', () => {
    expect(enlisted({ known: article('read') }, page, 80, NOW)).toMatchObject({ relink: true, hasMore: true })
    expect(enlisted({ known: article('read'), linked: article('read') }, page, 80, NOW).hasMore).toBe(false)
  })

  it.each<[string, ArticleLife, number | undefined]>([
    ['is read again, but not so soon after', article('read'), 1100],
    ['is read again at once, if that was long ago', article('read', { fetchedAt: 100 }), NOW],
    ['is not read without end', article('read', { reads: 3 }), undefined],
    ['is due as it was, if it is due', article('read', { dueAt: 5000 }), undefined],
    ['is not asked for again, if it was refused', article('refused'), undefined],
  ])('%s', (_, known, dueAt) => {
    const { changed, toFetch } = enlisted({ known, linked: known }, { ...page, again }, 90, NOW)
    expect([changed?.dueAt, toFetch]).toEqual([dueAt, dueAt !== undefined])
  })
})

describe('an entry that changed and has another link now', () => {
  const page: Enlisting = { url: ELSEWHERE, root: 'y.example', again: { afterMs: 600, most: 3 } }
  const kept = { toFetch: false, relink: false, hasMore: false }

  it.each<[string, ArticleLife]>([
    ['was read a moment ago', article('read')],
    ['was read as often as it may be', article('read', { triedAt: 1, reads: 3 })],
    ['failed as often as it may', article('failed', { triedAt: 1, reads: 3 })],
  ])('keeps the page that %s', (_, linked) => {
    expect(enlisted({ linked }, page, 90, NOW)).toEqual(kept)
  })

  it.each<[string, ArticleLife, object]>([
    ['was read long ago', article('read', { triedAt: 100, reads: 2 }), { dueAt: NOW, reads: 2, failures: 0 }],
    ['waits still', article('waiting', { dueAt: 3000, failures: 2 }), { dueAt: 3000, reads: 0, failures: 2 }],
    ['could not be had', article('failed', { triedAt: 700 }), { dueAt: 1300, reads: 1, failures: 0 }],
  ])('gets another page, counted with the one that %s', (_, linked, added) => {
    expect(enlisted({ linked }, page, 90, NOW)).toMatchObject({ added, toFetch: true, relink: true })
  })
})

it('goes with the last entry that points at it, and takes along whoever was the same', () => {
  const [id, aliases] = [1 as ArticleId, [2, 3] as ArticleId[]]
  expect(goneWith({ id, isPointedAt: true, aliases })).toEqual([])
  expect(goneWith({ id, isPointedAt: false, aliases })).toEqual([2, 3, 1])
})

describe('whatever comes, in whatever order', () => {
  const result = fc.constantFrom<ArticleResult>(
    read,
    same,
    elsewhere,
    failed,
    refused,
    { ...failed, dueAt: 9000 },
    { ...refused, dueAt: 9000 },
  )

  it('an article waits only while it is due, and never has a page without a text', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(result, fc.boolean()), { maxLength: 12 }), (results) => {
        let life = article('waiting', { dueAt: NOW })
        let [text, page] = [false, false]
        const other = article('read', { id: 2 as ArticleId })
        const keep = { keep: (had: boolean) => had, drop: () => false, write: () => true }
        for (const [i, [one, isThere]] of results.entries()) {
          const found = afterFetch({ article: life, ...(isThere && { other }) }, one, NOW + i)
          if (!found) continue
          life = found.article
          text = keep[found.text](text)
          page = keep[found.page](page)
          expect(life.state === 'waiting' && life.dueAt === undefined).toBe(false)
          expect(page && !text).toBe(false)
          expect(text && life.state !== 'read').toBe(false)
          expect(life.state === 'same').toBe(life.sameAs !== undefined)
        }
      }),
    )
  })
})

/** State transitions of articles: after every fetch result, and when entries link to their pages. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { ArticleId, ArticleLife, ArticleResult, ArticleState } from '../../model/index.ts'
import { afterFetch, type BeforeFetch } from './after-fetch.ts'
import { articlesToDelete } from './remove-article.ts'
import { FRONT_OF_QUEUE } from './request-article.ts'
import { afterWanted, type WantedArticle } from './want-article.ts'

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
  it('stores text and page, and queues its entries for indexing and grouping', () => {
    const before = article('waiting', { dueAt: 900, failures: 2, trouble: FAILURE, ledTo: { url: ELSEWHERE, hops: 3 } })
    expect(fetched(before, read)).toEqual({
      article: article('read', { triedAt: NOW, fetchedAt: NOW, ledTo: { url: ELSEWHERE, hops: 0 } }),
      text: 'write',
      page: 'write',
      reindex: true,
      regroup: true,
    })
  })

  it('drops the stored page when the new page forbids archiving', () => {
    const { page: _, ...withoutPage } = { ...read, noArchive: true as const }
    expect(fetched(article('read'), withoutPage)).toMatchObject({
      page: 'drop',
      article: { noArchive: true, reads: 2 },
    })
    expect(fetched(article('read', { noArchive: true }), read)?.article).not.toHaveProperty('noArchive')
  })

  it('hands its entries to the article it duplicates, which takes the newer date of both', () => {
    const other = article('read', { id: 2 as ArticleId, newsAt: 80 })
    const found = fetched(article('read', { dueAt: 900, noArchive: true }), same, { other })
    expect(found).toMatchObject({ text: 'drop', page: 'drop', reindex: true, regroup: true })
    expect(found?.article).toEqual({
      ...article('same', { triedAt: NOW, reads: 1, pageUrl: PAGE, sameAs: other.id }),
    })
    expect(found?.movedTo).toEqual({ ...other, newsAt: 90 })
  })

  it('stays due after a redirect to another host, and counts consecutive redirects', () => {
    const once = fetched(article('waiting', { dueAt: 900 }), elsewhere)!
    expect(once.article).toEqual(
      article('waiting', { dueAt: 900, root: 'y.example', ledTo: { url: ELSEWHERE, hops: 1 } }),
    )
    expect(once).toMatchObject({ text: 'keep', page: 'keep', reindex: false, regroup: false })
    const back: ArticleResult = { kind: 'elsewhere', to: PAGE, root: 'x.example' }
    expect(fetched(once.article, back)?.article.ledTo).toEqual({ url: PAGE, hops: 2 })
  })

  const TROUBLE = { failures: 1, trouble: FAILURE, triedAt: NOW }
  it.each<[string, ArticleLife, ArticleResult, ArticleState, 'keep' | 'drop']>([
    ['could not be fetched', article('waiting'), failed, 'failed', 'keep'],
    ['could not be fetched again', article('read'), failed, 'read', 'keep'],
    ['is refused', article('waiting'), refused, 'refused', 'drop'],
    ['was read before and is refused now', article('read'), refused, 'refused', 'drop'],
    ['will be retried later', article('waiting'), { ...failed, dueAt: 2000 }, 'waiting', 'keep'],
    ['was read before and will be retried later', article('read'), { ...failed, dueAt: 2000 }, 'read', 'keep'],
  ])('that %s', (_, before, result, state, content) => {
    const found = fetched(before, result)!
    expect(found.article).toMatchObject({ ...TROUBLE, state })
    expect(found.article.dueAt).toBe('dueAt' in result ? result.dueAt : undefined)
    expect(found).toMatchObject({ text: content, page: content, regroup: false })
    expect(found.reindex).toBe(content === 'drop' && before.state === 'read')
  })
})

describe('a result is ignored', () => {
  const waiting = article('waiting', { dueAt: 900 })
  it.each<[string, ArticleLife, ArticleResult, Partial<BeforeFetch>]>([
    ['when the article is already a duplicate of another', article('same', { sameAs: 2 as ArticleId }), read, {}],
    ['when the article was requested since', { ...waiting, triedAt: NOW }, read, {}],
    ['when it names a removed article as the original', waiting, same, {}],
    [
      'when it names an article that was never read as the original',
      waiting,
      same,
      { other: article('failed', { id: 2 as ArticleId }) },
    ],
    ['when it names the article itself as the original', article('read'), same, { other: article('read') }],
    ['when it repeats the current redirect', { ...waiting, ledTo: { url: ELSEWHERE, hops: 1 } }, elsewhere, {}],
  ])('%s', (_, before, result, more) => {
    expect(fetched(before, result, more)).toBeUndefined()
  })
})

describe('a page that an entry links to', () => {
  const page: WantedArticle = { url: PAGE, root: 'x.example' }
  const again = { afterMs: 600, most: 3 }

  it('is due at once if it is new', () => {
    expect(afterWanted({}, page, 90, NOW)).toEqual({
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

  it('is shared by its entries and takes the date of the newest', () => {
    const known = article('waiting', { dueAt: 900 })
    expect(afterWanted({ known }, page, 95, NOW)).toEqual({
      changed: { ...known, newsAt: 95 },
      toFetch: false,
      relink: true,
      hasMore: false,
    })
    const nothing = { toFetch: false, relink: false, hasMore: false }
    expect(afterWanted({ known, linked: known }, page, 80, NOW)).toEqual(nothing)
  })

  it('provides its text to a new entry at once if it was read', () => {
    expect(afterWanted({ known: article('read') }, page, 80, NOW)).toMatchObject({ relink: true, hasMore: true })
    expect(afterWanted({ known: article('read'), linked: article('read') }, page, 80, NOW).hasMore).toBe(false)
  })

  it.each<[string, ArticleLife, number | undefined]>([
    ['is read again, after the minimum interval', article('read'), 1100],
    ['is read again at once if the interval has passed', article('read', { fetchedAt: 100 }), NOW],
    ['is not read again beyond the limit', article('read', { reads: 3 }), undefined],
    ['keeps its due date if it has one', article('read', { dueAt: 5000 }), undefined],
    ['is not requested again if it was refused', article('refused'), undefined],
  ])('%s', (_, known, dueAt) => {
    const { changed, toFetch } = afterWanted({ known, linked: known }, { ...page, again }, 90, NOW)
    expect([changed?.dueAt, toFetch]).toEqual([dueAt, dueAt !== undefined])
  })
})

describe('an article that a user asks for', () => {
  const page: WantedArticle = { url: PAGE, root: 'x.example', requested: { afterMs: 200 } }

  it('is new, and first in line', () => {
    expect(afterWanted({}, page, 90, NOW)).toMatchObject({
      added: { state: 'waiting', newsAt: NOW, dueAt: FRONT_OF_QUEUE },
      toFetch: true,
      relink: true,
    })
  })

  it.each<[string, ArticleLife, object]>([
    [
      'waits',
      article('waiting', { dueAt: 9000, failures: 1 }),
      { state: 'waiting', dueAt: FRONT_OF_QUEUE, failures: 1 },
    ],
    ['is first in line already', article('waiting', { dueAt: FRONT_OF_QUEUE }), { dueAt: FRONT_OF_QUEUE }],
    ['failed', article('failed', { triedAt: 100 }), { state: 'waiting', dueAt: FRONT_OF_QUEUE }],
    ['was refused', article('refused', { triedAt: 100 }), { state: 'waiting', dueAt: FRONT_OF_QUEUE }],
    ['was read', article('read', { triedAt: 100 }), { state: 'read', dueAt: FRONT_OF_QUEUE }],
    ['was requested a moment ago', article('failed', { triedAt: NOW - 50 }), { state: 'waiting', dueAt: NOW + 150 }],
    [
      'is on a server that asked for a pause',
      article('waiting', { triedAt: NOW - 50, trouble: { kind: 'http', status: 503, retryAfterMs: 900 }, dueAt: 9000 }),
      { dueAt: NOW + 850 },
    ],
  ])('%s', (_, known, expected) => {
    const { changed, relink } = afterWanted({ known, linked: known }, page, 90, NOW)
    expect(changed).toMatchObject({ ...expected, newsAt: NOW })
    expect(relink).toBe(false)
  })
})

describe('an entry that changed and has a new link', () => {
  const page: WantedArticle = { url: ELSEWHERE, root: 'y.example', again: { afterMs: 600, most: 3 } }
  const unchanged = { toFetch: false, relink: false, hasMore: false }

  it.each<[string, ArticleLife]>([
    ['was read recently', article('read')],
    ['reached its limit of reads', article('read', { triedAt: 1, reads: 3 })],
    ['failed and reached its limit of reads', article('failed', { triedAt: 1, reads: 3 })],
  ])('keeps the page that %s', (_, linked) => {
    expect(afterWanted({ linked }, page, 90, NOW)).toEqual(unchanged)
  })

  it.each<[string, ArticleLife, object]>([
    ['was read long ago', article('read', { triedAt: 100, reads: 2 }), { dueAt: NOW, reads: 2, failures: 0 }],
    ['is still waiting', article('waiting', { dueAt: 3000, failures: 2 }), { dueAt: 3000, reads: 0, failures: 2 }],
    ['could not be fetched', article('failed', { triedAt: 700 }), { dueAt: 1300, reads: 1, failures: 0 }],
  ])('gets the new page, which inherits the counters of the one that %s', (_, linked, added) => {
    expect(afterWanted({ linked }, page, 90, NOW)).toMatchObject({ added, toFetch: true, relink: true })
  })
})

it('deletes an article and its aliases with the last entry that links to it', () => {
  const [id, aliases] = [1 as ArticleId, [2, 3] as ArticleId[]]
  expect(articlesToDelete({ id, isLinked: true, aliases })).toEqual([])
  expect(articlesToDelete({ id, isLinked: false, aliases })).toEqual([2, 3, 1])
})

describe('any sequence of results', () => {
  const result = fc.constantFrom<ArticleResult>(
    read,
    same,
    elsewhere,
    failed,
    refused,
    { ...failed, dueAt: 9000 },
    { ...refused, dueAt: 9000 },
  )

  it('leaves articles waiting only while they are due, and never a page without a text', () => {
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

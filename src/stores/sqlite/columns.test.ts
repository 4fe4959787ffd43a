/** Rows that an older version wrote, or that are damaged: unreadable columns are left out and do not affect other rows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { FeedId, HubSubscription } from '../../model/index.ts'
import { articleOf, readArticle, want } from '../../ports/article-samples.contract.ts'
import { all, draft, newFeed, newSource, record, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore, type SqliteStore } from './index.ts'

let folder: string
let opened: SqliteStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  open()
})

afterEach(async () => {
  await opened.store.close()
  rmSync(folder, { recursive: true })
})

function open(): void {
  opened = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START })
}

/** Changes the file behind the store's back. */
async function damage(...statements: string[]): Promise<void> {
  await opened.store.close()
  const db = new Database(join(folder, 'store.db'))
  for (const statement of statements) db.exec(statement)
  db.close()
  open()
}

async function addTwo(): Promise<FeedId> {
  const [first] = await opened.store.addFeeds([newFeed('bad'), newFeed('good')])
  return first!.id
}

it('leaves out invalid addresses', async () => {
  const id = await addTwo()
  await damage(
    `UPDATE feeds SET site_url = 'http://', hub = 'http://[hub', successor_url = 'mailto:a@b.example',
     errand = '{"kind":"moved-feed","url":"http://","resumeAt":1}', moving = '{"to":"x","times":1,"sinceAt":1}' WHERE id = ${id}`,
  )
  const { feeds } = await opened.store.leaseDue(START, 9, START + 1)
  expect(feeds.map(({ feed }) => feed.title)).toEqual(['bad', 'good'])
  for (const name of ['siteUrl', 'hub', 'successorUrl', 'followUp', 'moving'])
    expect(feeds[0]?.feed).not.toHaveProperty(name)
})

it('leaves out invalid JSON', async () => {
  const id = await addTwo()
  await damage(
    `UPDATE feeds SET hints = '{', wants = 'x', moving = '', errand = '[' WHERE id = ${id}`,
    `UPDATE schedules SET trouble = '{"kind', trust = '}', because = '"' WHERE feed_id = ${id}`,
  )
  const { feeds } = await opened.store.leaseDue(START, 9, START + 1)
  expect(feeds.map(({ feed }) => feed.title)).toEqual(['bad', 'good'])
  expect(feeds[0]?.feed.followUp).toBeUndefined()
  expect(feeds[0]?.schedule.trouble).toBeUndefined()
})

it('reads due reasons under their former names', async () => {
  const id = await addTwo()
  await damage(`UPDATE schedules SET because = '{"by":"asked","price":7}' WHERE feed_id = ${id}`)
  const [scheduled] = await opened.store.feedsById([id])
  expect(scheduled?.schedule.because).toEqual({ by: 'requested', price: 7 })
})

it('reads follow-up tasks whose kind has its former name', async () => {
  const id = await addTwo()
  await damage(`UPDATE feeds SET errand = '{"kind":"seek","url":"https://a.example/","resumeAt":1}' WHERE id = ${id}`)
  const [scheduled] = await opened.store.feedsById([id])
  expect(scheduled?.feed.followUp).toEqual({ kind: 'moved-feed', url: 'https://a.example/', resumeAt: 1 })
})

it('reads outgoing feeds whose kind has its former name', async () => {
  const userId = await opened.store.firstUser()
  const feedOut = { userId, name: 'Everything', of: { kind: 'all' }, text: 'full', key: 'k', addedAt: START } as const
  const id = await opened.store.addSharedItem('feedOut', feedOut)
  await damage(`UPDATE outgoing_feeds SET what = '{"kind":"river"}'`)
  expect(await opened.store.sharedItems('feedOut', userId)).toEqual([{ ...feedOut, id }])
})

it('replaces the invalid address of a feed or a source by a reserved one, until a user changes it', async () => {
  const id = await addTwo()
  await opened.store.addSources([newSource('lost'), newSource('found')])
  await damage(
    `UPDATE feeds SET url = 'http://[lost' WHERE id = ${id}`,
    "UPDATE sources SET url = 'http://' WHERE root = 'lost.example'",
  )
  const { feeds, sources } = await opened.store.leaseDue(START, 9, START + 1)
  const NOBODY = expect.stringMatching(/^http:\/\/unreadable\.invalid\//)
  expect(feeds.map(({ feed }) => feed.url)).toEqual([NOBODY, 'https://good.example/feed.xml'])
  expect(sources.map(({ url }) => url)).toEqual([NOBODY, 'https://found.example/'])

  await opened.store.recordPolls([record(id, START, { feed: { language: 'de' } })])
  expect((await opened.store.feeds({ order: 'id', limit: 9 })).map(({ feed }) => feed.url)[0]).toEqual(NOBODY)
  await opened.store.changeFeed(id, { url: address('https://again.example/') })
  expect((await all(opened.store.everyFeed())).map(({ feed }) => feed.url)).toContain('https://again.example/')
})

it('replaces invalid addresses of hub subscriptions and article pages, too', async () => {
  const id = await addTwo()
  await opened.store.recordPolls([record(id, START, { fresh: [draft('a'), draft('b')] })])
  const [a, b] = await all(opened.store.everyEntry({}))
  await opened.store.queueArticles([want(a!.id, 'x', 'a'), want(b!.id, 'y', 'b')], START)
  const push: HubSubscription = {
    token: 'one',
    feedId: id,
    hub: address('https://hub.example/'),
    topic: address('https://bad.example/'),
    secret: 's',
    state: 'waiting',
    dueAt: START,
    failures: 0,
    pushes: 0,
  }
  await opened.store.recordHubSubscriptions([push, { ...push, token: 'two' }])
  await damage(
    `UPDATE hub_subscriptions SET facts = replace(facts, 'https://hub.example/', 'http://[hub') WHERE token = 'one'`,
    "UPDATE articles SET url = 'http://' WHERE root = 'x.example'",
  )
  expect((await opened.store.dueHubSubscriptions(START, 9)).map(({ hub }) => new URL(hub).hostname)).toEqual([
    'unreadable.invalid',
    'hub.example',
  ])
  const taken = await opened.store.leaseDueArticles(START, 9, START + 1)
  expect(taken.map(({ url }) => new URL(url).hostname).sort()).toEqual(['unreadable.invalid', 'y.example'])
  expect((await articleOf(opened.store, b!.id)).url).toBe('https://y.example/b')
})

it('treats an article with a damaged text as one without text', async () => {
  const id = await addTwo()
  await opened.store.recordPolls([record(id, START, { fresh: [draft('a')] })])
  const [a] = await all(opened.store.everyEntry({}))
  await opened.store.queueArticles([want(a!.id, 'x', 'a')], START)
  const { id: articleId } = await articleOf(opened.store, a!.id)
  await opened.store.recordArticles([readArticle(articleId, START + 1)])
  await damage("UPDATE article_texts SET packed = x'00ff00ff'")
  expect(await opened.store.articlesById([articleId])).toMatchObject([{ id: articleId, state: 'read' }])
  for (const { changes } of [await opened.store.unindexed(9), await opened.store.ungrouped(9)]) {
    expect(changes.map(({ entry }) => entry?.key)).toEqual(['a'])
    expect(changes[0]).not.toHaveProperty('text')
  }
})

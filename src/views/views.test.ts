/** Details of feeds and entries, and resolved queries, over a memory store. */
import { expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { boilerplateOfFeed } from '../dedup/index.ts'
import { plainText } from '../feeds/index.ts'
import { type EntryId, HOUR, MINUTE } from '../model/index.ts'
import { rolesOf } from '../ports/index.ts'
import { entryDetails, feedDetails } from './index.ts'
import { resolveQuery } from './resolve-query.ts'

async function filled() {
  const { store, clock, addFeed } = createServerFixture()
  const entries = ['High water', 'Low water', 'No water'].map((title, i) => ({ title, agoMs: (i + 1) * HOUR }))
  const tides = await addFeed({ url: 'https://tides.example/feed', title: '', folder: 'Sea', entries })
  const from = { ...rolesOf(store), clock, limits: { minMs: 10 * MINUTE, maxMs: 24 * HOUR } }
  async function loadScheduled() {
    const [scheduled] = await store.feedsById([tides])
    return scheduled!
  }
  return { store, from, tides, loadScheduled, addFeed }
}

it('limits the polls and entries of a feed, newest first', async () => {
  const { from, loadScheduled } = await filled()
  const { polls, entries } = await feedDetails(await loadScheduled(), from, 2)
  expect(polls.map(({ result }) => result)).toEqual([{ kind: 'read', fresh: 3, changed: 0, window: 3, gap: false }])
  expect(entries.map(({ title }) => title)).toEqual(['High water', 'Low water'])
})

it('explains the due date of a feed by the settings of its folder, else by the defaults', async () => {
  const { store, from, tides, loadScheduled } = await filled()
  const whyNow = async () => (await feedDetails(await loadScheduled(), from, 1)).feed.schedule.why
  expect(await whyNow()).toBeUndefined() // no poll has set the due date
  await store.changeFeed(tides, {}, { strategy: 'fixed:1h', because: { by: 'min-interval', price: 0 } })
  const soonest = (words: string) => `the minimum interval is ${words}; it is polled every 1h`
  expect(await whyNow()).toMatchObject({ by: 'min-interval', words: soonest('10m') })
  await store.changePollSettings({ folder: 'Sea', goals: { minMs: 2 * HOUR } })
  expect(await whyNow()).toMatchObject({ words: soonest('2h') })
})

it('shows headlines and summaries without the boilerplate of their feed, and the headline as the feed has it', async () => {
  const { store, from, addFeed } = await filled()
  const letter = '<p>Sign up for our free letter and get the news of Port Else every morning.</p>'
  const titles = [
    'Ferry strike ends today',
    'Goose found among loaves',
    'Museum buys forged landscape',
    'Chess champion resigns',
  ]
  const entries = titles.map((title, i) => ({
    title: `${title} - Port-Else.Net`,
    summary: `<p>Text number ${i} of its own.</p>${letter}`,
    agoMs: (i + 1) * HOUR,
  }))
  const post = await addFeed({ url: 'https://post.example/feed', title: 'Post', entries })
  const whole = async () => {
    const [scheduled] = await store.feedsById([post])
    return feedDetails(scheduled!, from, 2)
  }
  expect((await whole()).entries[0]?.title).toBe('Ferry strike ends today - Port-Else.Net')
  const shown = (await store.entries({ feedId: post, limit: 9 })).map((entry) => {
    return { id: entry.id, feedId: post, at: entry.seenAt, title: entry.title, text: plainText(entry.summary!) }
  })
  await store.recordGroups([], [], NOW, [{ feedId: post, memory: boilerplateOfFeed(undefined, shown).memory }])

  const { feed, entries: listed } = await whole()
  expect(feed.titleLabels).toEqual(['- Port-Else.Net'])
  expect(listed.map(({ title, titleInFeed }) => [title, titleInFeed])).toEqual(
    titles.slice(0, 2).map((title) => [title, `${title} - Port-Else.Net`]),
  )
  const details = await entryDetails(listed[0]!.id as EntryId, from)
  expect(details).toMatchObject({
    title: titles[0],
    summary: '<p>Text number 0 of its own.</p>',
    text: 'Text number 0 of its own.',
  })
  const [stored] = await store.entriesById([listed[0]!.id as EntryId])
  expect(stored).toMatchObject({
    title: `${titles[0]} - Port-Else.Net`,
    summary: `<p>Text number 0 of its own.</p>${letter}`,
  })
})

it('returns undefined for an unknown entry', async () => {
  const { from } = await filled()
  expect(await entryDetails(99 as never, from)).toBeUndefined()
})

it('shows a feed with an unknown strategy, and says so', async () => {
  const { store, from, tides, loadScheduled } = await filled()
  await store.changeFeed(tides, {}, { strategy: 'oracle-bones', because: { by: 'strategy', price: HOUR } })
  const { feed } = await feedDetails(await loadScheduled(), from, 1)
  expect(feed.schedule.why?.words).toBe('unknown strategy "oracle-bones"; choose another strategy')
})

it('resolves feeds and folders by name, and rejects large folders joined by OR', async () => {
  const { from, tides, addFeed } = await filled()
  for (let i = 0; i < 501; i++) await addFeed({ url: `https://many-${i}.example/`, title: 'Many', folder: 'Many' })
  const understood = (text: string) => resolveQuery(text, from, NOW)
  const of = (ids: number[]) => ({ kind: 'feeds', ids })
  expect(await understood('folder:sea')).toEqual({ query: { all: [[of([tides])]], none: [] } })
  expect(await understood('x -feed:tides.example')).toMatchObject({ query: { none: [of([tides])] } })
  expect(await understood(`feed:${tides} OR folder:Sea`)).toMatchObject({
    query: { all: [[of([tides]), of([tides])]] },
  })
  expect(await understood('x folder:Many')).toMatchObject({ query: { all: [{}, [{ ids: { length: 501 } }]] } })
  expect(await understood('x OR folder:Many')).toMatchObject({
    fault: 'folder:"Many" matches 501 feeds, too many to be joined by OR',
  })
  expect(await understood('feed:nobody')).toMatchObject({ fault: 'no feed is called "nobody"' })
})

/** Detects copies in a village whose papers republish the stories of a news agency. */
import { expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, START, subscribe } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { DAY, type Entry, HOUR, MINUTE } from '../model/index.ts'
import { createMemoryStore } from '../stores/index.ts'

const wire: SiteSpec = {
  name: 'wire',
  title: 'The Wire',
  feeds: [{ path: '/feed', window: 60 }],
  rhythm: { kind: 'clockwork', everyMs: 40 * MINUTE },
}
const paper: SiteSpec = {
  name: 'paper',
  title: 'The Paper',
  feeds: [{ path: '/feed', window: 60 }],
  rhythm: { kind: 'clockwork', everyMs: 3 * HOUR },
  copies: { of: 'wire', share: 0.5 },
}

it('finds who copied whom, after a restart, too, with hardly any false matches', async () => {
  const store = createMemoryStore()
  const first = createCrawlHarness([wire, paper], { store })
  await subscribe(first.crawler, first.village)
  await first.clock.advance(12 * HOUR)
  await first.stop()
  const { clock, village, events } = createCrawlHarness([wire, paper], { store, startAt: START + 12 * HOUR })
  await clock.advance(12 * HOUR + MINUTE)

  const pathOf = (entry: Entry) => new URL(entry.url!).pathname
  const entries = await store.entries({ limit: 9999 })
  const byPath = new Map(entries.map((entry) => [pathOf(entry), entry]))
  const postsOf = (name: string) => village.site(name).published(START - 9 * DAY, START + DAY)
  const originals = new Map(postsOf('wire').map((post) => [post.id, byPath.get(post.path)]))
  const pairs = postsOf('paper').flatMap(({ path, copyOf = '' }) => {
    const [copy, original] = [byPath.get(path), originals.get(copyOf)]
    // Some papers correct a number, and a text with another number is not a copy.
    return copy && original && figures(copy) === figures(original) ? [[copy, original] as const] : []
  })
  expect(pairs.length).toBeGreaterThan(15)

  const groups = await store.groupsOfEntries(
    entries.map(({ id }) => id),
    'copy',
  )
  const groupOf = new Map(entries.map(({ id }, i) => [id, groups[i]]))
  for (const [copy, original] of pairs) {
    const group = groupOf.get(copy.id)
    expect([copy.title, group?.id]).toEqual([copy.title, groupOf.get(original.id)?.id])
    expect(group!.firstAt).toBeLessThanOrEqual(original.publishedAt!)
  }
  const copies = entries.filter(({ id }) => (groupOf.get(id)?.primaryId ?? id) !== id).length
  expect(copies - pairs.length).toBeLessThan(4) // the village has few words, and sometimes repeats a sentence
  expect(await store.entries({ unique: 'copy', limit: 9999 })).toHaveLength(entries.length - copies)
  expect(await store.statistics(0)).toMatchObject({ entries: entries.length, copies })
  expect(internalErrors(events)).toEqual([])
})

const figures = ({ summary = '' }: Entry) => summary.match(/\d+/g)?.join(' ')

it('removes title prefixes of a publisher before comparing', async () => {
  const { clock, village, crawler, store } = createCrawlHarness([wire, paper])
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  const feeds = (await store.feeds({ order: 'id', limit: 9 })).map(({ feed }) => feed)
  const feedOf = (name: string) => feeds.find(({ url }) => url.startsWith(village.site(name).home))!.id
  await crawler.edit(feedOf('paper'), { titlePrefix: 'Breaking news from The Paper:' })
  const post = { title: 'Goose found in bakery of old town', paragraphs: ['Nobody knows how.'] }
  village.site('wire').publish({ ...post })
  village.site('paper').publish({ ...post, title: `Breaking news from The Paper: ${post.title}` })
  await clock.advance(2 * HOUR)
  const [goose] = (await store.entries({ feedId: feedOf('wire'), limit: 99 })).filter(
    ({ title }) => title === post.title,
  )
  const [group] = await store.groupsOfEntries([goose!.id], 'copy')
  const members = await store.members(group!.id, 9)
  const titles = (await store.entriesById(members.map(({ entryId }) => entryId))).map((entry) => entry?.title)
  expect(titles).toEqual([post.title, post.title])
  expect(members[1]?.reason).toBe('same headline')
})

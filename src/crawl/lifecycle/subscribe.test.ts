import { expect, it } from 'vitest'
import { rolesOf, type Store } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import type { Address } from '../crawler.ts'
import { subscribe } from './subscribe.ts'

const clock = { now: () => 0, sleepUntil: async () => {} }

it('hands a long list to the store in portions, and answers in its order', async () => {
  const store = createMemoryStore()
  const portions: number[] = []
  const counting: Store = {
    ...store,
    addFeeds(feeds) {
      portions.push(feeds.length)
      return store.addFeeds(feeds)
    },
    addSources(sources) {
      portions.push(sources.length)
      return store.addSources(sources)
    },
  }
  const list = Array.from({ length: 5000 }, (_, i): Address => {
    if (i % 10 === 3) return { url: `not an address ${i}`, kind: 'feed' }
    return { url: `https://a${i}.example/${i}`, kind: i % 3 === 0 ? 'any' : 'feed' }
  })
  const answers = await subscribe(list, { ...rolesOf(counting), clock, strategy: 'fixed:1h' })
  expect(Math.max(...portions)).toBeLessThanOrEqual(500)
  expect(answers.map(({ url }) => url)).toEqual(list.map(({ url }) => url))
  const held = await store.feedsById(answers.flatMap((one) => (one.kind === 'feed' ? [one.feedId] : [])))
  expect(held.map((one) => one?.feed.url)).toEqual(answers.flatMap((one) => (one.kind === 'feed' ? [one.url] : [])))
})

it('asks once for what is known of a root, however many of its feeds are in the list', async () => {
  const store = createMemoryStore()
  let asked = 0
  const counting: Store = {
    ...store,
    memoriesAt(...what) {
      asked++
      return store.memoriesAt(...what)
    },
  }
  const list = Array.from({ length: 1200 }, (_, i): Address => ({ url: `https://a.example/${i}`, kind: 'feed' }))
  await subscribe(list, { ...rolesOf(counting), clock, strategy: 'fixed:1h' })
  expect(asked).toBe(1)
})

it('keeps what a list calls a feed and its folder to a length that the API can name', async () => {
  const store = createMemoryStore()
  const long = '\u{1f426}'.repeat(3_000)
  const list: Address[] = [{ url: 'https://a.example/feed', kind: 'feed', title: `a${long}`, folder: long }]
  const [added] = await subscribe(list, { ...rolesOf(store), clock, strategy: 'fixed:1h' })
  const [held] = added?.kind === 'feed' ? await store.feedsById([added.feedId]) : []
  expect(held!.feed).toMatchObject({ folder: long.slice(0, 1_000) })
  expect(held!.feed.title).toHaveLength(1_000)
  expect(held!.feed.title.isWellFormed()).toBe(true)
})

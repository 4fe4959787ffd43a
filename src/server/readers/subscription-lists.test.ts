/** Lists of all subscriptions are written page by page, and are valid JSON at any length. */
import { describe, expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../../test/server-fixture.ts'
import { newFeed } from '../../ports/store-samples.contract.ts'

const MINIFLUX = '/v1/feeds'
const GOOGLE = '/reader/api/0/subscription/list?output=json'

interface Titled {
  title: string
}

interface Page {
  subscriptions: Titled[]
  next?: string
}

async function following(count: number) {
  const fixture = createServerFixture()
  const { store, app } = fixture
  const added = await store.addFeeds(Array.from({ length: count }, (_, i) => newFeed(`f${i}`)))
  const targets = added.map(({ id }) => ({ feedId: id }))
  await store.follow(await store.firstUser(), targets, NOW, 0)
  const get = (path: string, headers = {}) => app.request(`http://localhost${path}`, { headers })
  return { store, get, list: async <Body>(path: string) => (await (await get(path)).json()) as Body }
}

describe('a list of all subscriptions', () => {
  it.each([0, 1, 250, 251, 600])('of %i feeds has each once', async (count) => {
    const { list } = await following(count)
    const titles = Array.from({ length: count }, (_, i) => `f${i}`)
    expect((await list<Titled[]>(MINIFLUX)).map(({ title }) => title)).toEqual(titles)
    expect((await list<Page>(GOOGLE)).subscriptions.map(({ title }) => title)).toEqual(titles)
  })

  it('of our own API continues where a page ended', async () => {
    const { list } = await following(600)
    const first = await list<Page>('/api/v1/subscriptions?limit=400')
    const second = await list<Page>(`/api/v1/subscriptions?limit=400&cursor=${first.next}`)
    expect([first.subscriptions.length, second.subscriptions.length, second.next]).toEqual([400, 200, undefined])
    expect(second.subscriptions[0]).toMatchObject({ title: 'f400', readers: 1, unread: 0 })
  })

  it('is a problem if the store fails at once, and breaks off if it fails later', async () => {
    const { store, get } = await following(600)
    const { followedFeeds } = store
    const failAfter = (pages: number) => {
      let read = 0
      store.followedFeeds = async (...query) => {
        if (read++ >= pages) throw new Error('the disk is gone')
        return followedFeeds(...query)
      }
    }
    failAfter(0)
    expect((await get(MINIFLUX)).status).toBe(500)
    failAfter(1)
    await expect((await get(MINIFLUX)).text()).rejects.toThrow('the disk is gone')
    failAfter(1)
    expect((await get(MINIFLUX, { 'accept-encoding': 'gzip' })).status).toBe(500)
  })
})

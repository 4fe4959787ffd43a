/** The client against a real server on a loopback socket. */
import { afterEach, describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { HOUR } from '../model/index.ts'
import { ClientError, createClient, ifThere } from './index.ts'

const open: { close(): Promise<void> }[] = []

async function listening(stage = createServerFixture()) {
  const server = await stage.listen(0)
  open.push(server)
  return { ...stage, ...server, client: createClient(server) }
}

afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

describe('the client', () => {
  test('controls a crawl in another process', async () => {
    const { client, addFeed, store } = await listening()
    const id = await addFeed({
      url: 'https://tides.example/feed',
      title: 'Tides',
      entries: [{ title: 'High', agoMs: HOUR }],
    })
    const params = { id }
    expect((await client.getStatus()).counts.feeds.active).toBe(1)
    expect((await client.listFeeds({ query: { state: 'active' } })).feeds).toMatchObject([{ id, title: 'Tides' }])
    expect((await client.listEntries({ query: { feed: id } })).entries).toMatchObject([{ title: 'High' }])
    expect((await client.listPolls({ query: { feed: id } })).polls).toMatchObject([{ result: { kind: 'read' } }])
    expect((await client.getFeed({ params })).feed.title).toBe('Tides')
    await client.editFeed({ params, body: { state: 'paused' } })
    expect((await store.feedsById([id]))[0]?.feed.state).toBe('paused')
    expect(await client.pollFeed({ params })).toMatchObject({ why: 'its site was visited a moment ago' })
    expect(await client.setFolderGoals({ params: { folder: 'A / B' }, body: { goalMs: HOUR } })).toEqual({
      folder: 'A / B',
      wants: { goalMs: HOUR },
    })
    expect(await client.removeFeed({ params })).toBeUndefined()
    expect((await client.getStatus()).counts.feeds.active).toBe(0)
  })

  test('returns undefined for what does not exist', async () => {
    const { client } = await listening()
    expect(await ifThere(client.getFeed({ params: { id: 7 } }))).toBeUndefined()
    expect(await ifThere(client.removeSource({ params: { id: 7 } }))).toBeUndefined()
    await expect(client.getFeed({ params: { id: 7 } })).rejects.toMatchObject({
      status: 404,
      problem: 'there is no feed 7',
    })
  })

  test('pages through a list with cursors', async () => {
    const { client } = await listening()
    const addresses = Array.from({ length: 60 }, (_, i) => `https://s${i}.example/`)
    const { results } = await client.addFeeds({ body: { addresses } })
    expect(results.map(({ url }) => url)).toEqual(addresses)
    const seen: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const answer: Awaited<ReturnType<typeof client.listSources>> = await client.listSources({
        query: { limit: 7, cursor: cursor || undefined },
      })
      seen.push(...answer.sources.map(({ url }) => url))
      cursor = answer.next
    }
    expect(seen).toEqual(addresses)
  })

  test('reports what it tried and the response', async () => {
    const { url, client } = await listening()
    const refused = await client.listFeeds({ query: { limit: 0 } }).catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(ClientError)
    expect(refused).toMatchObject({
      message: `GET ${url}/api/v1/feeds?limit=0: the server answered 400 (invalid parameter limit=0)`,
      hint: 'limit is a whole number from 1 to 1000',
      status: 400,
    })
  })

  test('reports that nothing listens', async () => {
    const { url, close } = await createServerFixture().listen(0)
    await close()
    await expect(createClient({ url }).getStatus()).rejects.toMatchObject({
      message: `GET ${url}/api/v1/status: no response (connection refused)`,
      hint: 'check that Freshet is running there',
      status: undefined,
    })
  })
})

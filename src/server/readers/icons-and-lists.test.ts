/** Protocols of feed readers: icons, feed discovery and OPML. */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../../test/server-fixture.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedId, HOUR, type UserId } from '../../model/index.ts'
import type { Net, NetAnswer, NetRequest } from '../../ports/index.ts'
import { createAccounts } from '../accounts.ts'
import type { DashboardServices } from '../dashboard.ts'

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3)
const ICON = `image/png;base64,${Buffer.from(PNG).toString('base64')}`

let fixture: ReturnType<typeof createServerFixture>
let requestedUrls: string[]
let ada: UserId
let [token, readToken, fever] = ['', '', '']
/** By host; replaces the icon. */
let answers: Record<string, { status?: number; body?: Uint8Array }>

beforeEach(async () => {
  requestedUrls = []
  answers = {}
  const net: Net = {
    async get({ url }: NetRequest): Promise<NetAnswer> {
      requestedUrls.push(url)
      const { status = 200, body = PNG } = answers[new URL(url).host] ?? {}
      return { ok: true, status, url: address(url), redirects: [], headers: {}, body, wireBytes: 0 }
    },
    post: () => Promise.reject(new Error('nothing is posted')),
    close: async () => {},
  }
  const found = { facts: { format: 'atom', title: 'Tides' }, entries: [], validators: {}, bodyHash: '' }
  const discover: DashboardServices['discover'] = async (url) => ({
    requests: [],
    feeds: url.includes('tides')
      ? [{ url: address('https://tides.example/feed'), score: 9, why: 'a link', via: 'link', reading: found } as never]
      : [],
  })
  fixture = createServerFixture({ net, dashboard: { discover } as DashboardServices })
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  await accounts.add('root', 'correct horse battery')
  ada = (await accounts.add('ada', 'correct horse battery', 'write')).id
  const secretFor = async (scope: 'read' | 'write', more = {}) =>
    (await accounts.addToken(ada, { name: `t ${scope} ${Object.keys(more)}`, scope, ...more })).secret
  token = await secretFor('write')
  readToken = await secretFor('read')
  fever = createHash('md5')
    .update(`ada:${await secretFor('read', { for: 'fever' })}`)
    .digest('hex')
  for (const name of ['tides', 'bread', 'secret'])
    await fixture.addFeed({ url: `https://${name}.example/feed`, title: name, entries: [{ title: name, agoMs: HOUR }] })
  await fixture.store.follow(ada, [{ feedId: 1 as FeedId }, { feedId: 2 as FeedId }], NOW, 30)
})

async function at(path: string, { body, raw, as = token }: { body?: object; raw?: string; as?: string } = {}) {
  const sent = raw ?? (body && JSON.stringify(body))
  const init = { method: sent === undefined ? 'GET' : 'POST', ...(sent !== undefined && { body: sent }) }
  const answer = await fixture.app.request(`http://localhost/v1/${path}`, { ...init, headers: { 'x-auth-token': as } })
  return { status: answer.status, body: await answer.json() }
}

describe('an icon', () => {
  it.each(['feeds/1/icon', 'icons/1'])('is returned at %s, and fetched once', async (path) => {
    const icon = { id: 1, mime_type: 'image/png', data: ICON }
    expect(await at(path)).toEqual({ status: 200, body: icon })
    expect((await at(path)).body).toEqual(icon)
    expect(requestedUrls).toEqual(['https://tides.example/favicon.ico'])
    expect((await at('feeds/1')).body).toMatchObject({ icon: { feed_id: 1, icon_id: 1 } })
  })

  it('is rejected for a feed that is not followed, if it is missing, and if it is too large', async () => {
    expect((await at('icons/3')).status).toBe(404)
    expect(requestedUrls).toEqual([])
    answers = { 'tides.example': { status: 404 }, 'bread.example': { body: new Uint8Array(200_000).fill(1) } }
    answers['bread.example']!.body!.set(PNG)
    expect((await at('icons/1')).body).toEqual({ error_message: expect.stringMatching(/no icon/) })
    expect((await at('icons/2')).status).toBe(404)
  })

  it('is returned by Fever once it is cached', async () => {
    const ask = async () => {
      const init = { method: 'POST', body: `api_key=${fever}`, headers: FORM }
      return (await fixture.app.request('http://localhost/fever/?api&favicons&feeds', init)).json()
    }
    const first = (await ask()) as { favicons: unknown[]; feeds: { favicon_id: number }[] }
    expect([first.favicons, first.feeds.map((feed) => feed.favicon_id)]).toEqual([[], [1, 2]])
    await new Promise((resolve) => setImmediate(resolve))
    expect(requestedUrls.sort()).toEqual(['https://bread.example/favicon.ico', 'https://tides.example/favicon.ico'])
    expect(await ask()).toMatchObject({
      favicons: [
        { id: 1, data: ICON },
        { id: 2, data: ICON },
      ],
    })
    expect(requestedUrls).toHaveLength(2)
  })
})

describe('the address of an icon for Google Reader', () => {
  async function addresses() {
    const headers = { authorization: `GoogleLogin auth=${token}` }
    const answer = await fixture.app.request('http://localhost/reader/api/0/subscription/list', { headers })
    const { subscriptions } = (await answer.json()) as { subscriptions: { iconUrl: string }[] }
    return subscriptions.map(({ iconUrl }) => iconUrl)
  }
  const status = async (url: string) => (await fixture.app.request(url)).status

  it('needs no login, and stays the same', async () => {
    const [tides] = await addresses()
    const answer = await fixture.app.request(tides!)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PNG)
    expect((await addresses())[0]).toBe(tides)
  })

  it('is valid for one user and one feed, while it is followed', async () => {
    const [tides, bread] = await addresses()
    const [own, other] = [tides!.split('-1-')[1]!, bread!.split('-2-')[1]!]
    expect(await status(tides!.replace(own, other))).toBe(404)
    expect(await status(tides!.replace('-1-', '-3-'))).toBe(404)
    expect(await status(tides!.replace(/\/\d+-/, '/1-'))).toBe(404)
    expect(await status(tides!.slice(0, -1))).toBe(404)
    expect(requestedUrls).toEqual([])
    await fixture.store.unfollow(ada, [{ feedId: 1 as FeedId }])
    expect(await status(tides!)).toBe(404)
    expect(await status(bread!)).toBe(200)
  })
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('an address', () => {
  it('is searched for feeds', async () => {
    expect(await at('discover', { body: { url: 'https://tides.example/' } })).toEqual({
      status: 200,
      body: [{ url: 'https://tides.example/feed', title: 'Tides', type: 'atom' }],
    })
  })

  it.each([
    ['without a feed', { url: 'https://nothing.example/' }, 404],
    ['that is invalid', { url: 'nonsense://x' }, 400],
    ['that is missing', {}, 400],
  ])('%s is rejected with a message', async (_, body, status) => {
    const answer = await at('discover', { body })
    expect(answer).toEqual({ status, body: { error_message: expect.stringMatching(/.{10,}/) } })
  })

  it('is not fetched for read-only users', async () => {
    expect((await at('discover', { body: { url: 'https://tides.example/' }, as: readToken })).status).toBe(403)
  })
})

describe('a list of feeds', () => {
  const opml = `<opml version="2.0"><body><outline text="Sea"><outline type="rss" text="New" xmlUrl="https://new.example/feed"/>
    </outline></body></opml>`

  it('becomes subscriptions of the sender', async () => {
    expect(await at('import', { raw: opml })).toEqual({ status: 201, body: { message: 'Feeds imported successfully' } })
    const id = await fixture.store.feedAt('https://new.example/feed')
    expect(await fixture.store.subscriptionsTo(ada, [id!])).toMatchObject([{ folder: 'Sea' }])
  })

  it('is rejected if it is invalid, and for read-only users', async () => {
    const refused = await at('import', { raw: '{"not": "OPML"}' })
    expect(refused).toEqual({ status: 400, body: { error_message: expect.stringMatching(/not OPML/) } })
    expect((await at('import', { raw: opml, as: readToken })).status).toBe(403)
  })
})

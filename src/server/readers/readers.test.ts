/**
 * The protocols of feed readers, with requests like those of NetNewsWire, Reeder, FeedMe, newsboat and others, in their order.
 * test/e2e/newsboat.test.ts runs a real client.
 */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../../test/server-fixture.ts'
import { type EntryId, type FeedId, HOUR, MINUTE, type UserId } from '../../model/index.ts'
import { createAccounts } from '../accounts.ts'
import { entryIdIn, longItemId } from './google/item-ids.ts'

const PASSWORD = 'correct horse battery'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
let fixture: ReturnType<typeof createServerFixture>
let ada: UserId
let token: string
let fever: string

beforeEach(async () => {
  fixture = createServerFixture()
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  await accounts.add('root', PASSWORD) // the first user follows all added feeds
  ada = (await accounts.add('ada', PASSWORD, 'write')).id
  token = (await accounts.addToken(ada, { name: 'reader', scope: 'write' })).secret
  const { secret } = await accounts.addToken(ada, { name: 'Reeder', scope: 'write', for: 'fever' })
  fever = createHash('md5').update(`ada:${secret}`).digest('hex')
  const tides = await fixture.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [
      {
        title: 'High water',
        agoMs: HOUR,
        content: '<p>It <script>x</script>rises.</p>',
        url: 'https://tides.example/1',
      },
      { title: 'Low water', agoMs: 2 * HOUR },
      { title: 'Slack water', agoMs: 3 * HOUR },
    ],
  })
  const bread = await fixture.addFeed({
    url: 'https://bread.example/feed',
    title: 'Bread',
    entries: [{ title: 'Rye', agoMs: MINUTE }],
  })
  await fixture.addFeed({
    url: 'https://secret.example/feed',
    title: 'Not followed',
    entries: [{ title: 'Hidden', agoMs: 1 }],
  })
  await fixture.store.follow(
    ada,
    [
      { feedId: tides, folder: 'Sea' },
      { feedId: bread, title: 'Loaves' },
    ],
    NOW,
    30,
  )
  await fixture.index()
})

interface Sent {
  method?: string
  headers?: Record<string, string>
  form?: string
  body?: object
}

const send = (path: string, { method, headers, form, body }: Sent = {}) =>
  fixture.app.request(`http://localhost${path}`, {
    method: method ?? (form !== undefined ? 'POST' : 'GET'),
    headers: {
      ...(form !== undefined && { ...FORM, 'content-length': String(form.length) }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(form !== undefined && { body: form }),
    ...(body && { body: JSON.stringify(body) }),
  })
// biome-ignore lint/suspicious/noExplicitAny: tests check the parts that they need
const json = async (answer: Response | Promise<Response>) => (await (await answer).json()) as any
const unread = async () => (await fixture.store.readerCounts(ada)).unread
const STATE = 'user/-/state/com.google/'

describe('what a reader does counts for the ranking of its user', () => {
  const mark = (more: string) => send('/fever/?api', { form: `api_key=${fever}&mark=item&${more}` })
  const recorded = async () => {
    const values = await fixture.store.userValues(ada, 'interaction', { limit: 9 })
    return values.map(({ key, value }) => [Number(key), Object.keys(value as object)]).sort()
  }

  it('if an entry is starred, or marked as read alone', async () => {
    await mark('as=saved&id=1')
    await mark('as=read&id=2')
    await mark('as=unread&id=2')
    await send('/v1/entries', {
      method: 'PUT',
      headers: { 'x-auth-token': token },
      body: { entry_ids: [3, 4], status: 'read' },
    })
    expect(await recorded()).toEqual([
      [1, ['starred']],
      [2, ['read']],
    ])
  })

  it('but not entries that the user cannot see', async () => {
    await mark('as=saved&id=5')
    expect(await recorded()).toEqual([])
  })
})

describe('the Google Reader API', () => {
  const at = (path: string, sent: Sent = {}) =>
    send(`/api/greader.php/reader/api/0/${path}`, { ...sent, headers: { authorization: `GoogleLogin auth=${token}` } })

  it('accepts name and password, and tokens, and returns the same token to the same program', async () => {
    const logIn = (secret: string) =>
      send('/api/greader.php/accounts/ClientLogin', {
        form: `Email=ada&Passwd=${encodeURIComponent(secret)}&service=reader`,
      })
    const text = await (await logIn(PASSWORD)).text()
    expect(text).toMatch(/^SID=freshet_.*\nLSID=freshet_.*\nAuth=freshet_[\w-]+\n$/)
    expect(await (await logIn(PASSWORD)).text()).toBe(text)
    const auth = /Auth=(.*)/.exec(text)![1]
    const headers = { authorization: `GoogleLogin auth=${auth}` }
    expect(await json(send('/reader/api/0/user-info', { headers }))).toMatchObject({
      userName: 'ada',
      userId: String(ada),
    })
    expect((await send('/reader/api/0/token', { headers })).status).toBe(200)
    expect(await (await logIn(token)).text()).toMatch(new RegExp(`Auth=${token}\n$`))
  })

  it('rejects unknown credentials, and throttles guessing', async () => {
    const logIn = (secret: string) => send('/accounts/ClientLogin', { form: `Email=ada&Passwd=${secret}` })
    for (let i = 0; i < 5; i++) expect((await logIn(`wrong-${i}-horse`)).status).toBe(401)
    expect((await logIn(encodeURIComponent(PASSWORD))).status).toBe(429)
    const wrong = () =>
      send('/reader/api/0/subscription/list', { headers: { authorization: 'GoogleLogin auth=freshet_x' } })
    for (let i = 0; i < 5; i++) expect((await wrong()).headers.get('google-bad-token')).toBe('true')
    const refused = await wrong()
    expect([refused.status, refused.headers.get('google-bad-token')]).toEqual([429, null])
    const nobody = await send('/reader/api/0/subscription/list')
    expect([nobody.status, nobody.headers.get('google-bad-token')]).toEqual([401, 'true'])
  })

  it('lists subscriptions with their own titles and folders, and nothing else', async () => {
    const { subscriptions } = await json(at('subscription/list?output=json'))
    expect(subscriptions).toMatchObject([
      {
        id: 'feed/1',
        title: 'Tides',
        url: 'https://tides.example/feed',
        categories: [{ id: 'user/-/label/Sea', label: 'Sea' }],
      },
      { id: 'feed/2', title: 'Loaves', categories: [] },
    ])
    expect((await json(at('tag/list?output=json'))).tags).toMatchObject([
      { id: `${STATE}starred` },
      { id: 'user/-/label/Sea', type: 'folder' },
    ])
    const { max, unreadcounts } = await json(at('unread-count?output=json'))
    expect([max, unreadcounts.map(({ id, count }: { id: string; count: number }) => [id, count])]).toEqual([
      4,
      [
        ['feed/1', 3],
        ['feed/2', 1],
        ['user/-/label/Sea', 3],
        [`${STATE}reading-list`, 4],
      ],
    ])
    expect(await (await at('subscription/export')).text()).toContain('xmlUrl="https://tides.example/feed"')
  })

  it('returns ids page by page, unread state, and items by both forms of ids', async () => {
    const ids: string[] = []
    for (let c = ''; ; ) {
      const page = await json(at(`stream/items/ids?s=${STATE}reading-list&xt=${STATE}read&n=3${c && `&c=${c}`}`))
      ids.push(...page.itemRefs.map(({ id }: { id: string }) => id))
      c = page.continuation
      if (!c) break
    }
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
    const form = `i=${ids[0]}&i=${encodeURIComponent(longItemId(Number(ids[1]) as EntryId))}&i=999999&i=nonsense&T=x`
    const { items } = await json(at('stream/items/contents', { form }))
    expect(items.map(({ id }: { id: string }) => id)).toEqual(
      ids.slice(0, 2).map((id) => longItemId(Number(id) as EntryId)),
    )
    const all = await json(at(`stream/contents/${encodeURIComponent('user/-/label/Sea')}?n=10&r=o`))
    const high = all.items.find(({ title }: { title: string }) => title === 'High water')
    expect(high).toMatchObject({
      alternate: [{ href: 'https://tides.example/1' }],
      origin: { streamId: 'feed/1', title: 'Tides' },
      categories: expect.arrayContaining([`${STATE}reading-list`, 'user/-/label/Sea']),
    })
    expect(high.summary.content).toBe('<p>It rises.</p>')
    expect((await json(at('stream/contents/feed/https%3A%2F%2Fbread.example%2Ffeed'))).items).toHaveLength(1)
    expect((await json(at('stream/contents/feed/3'))).items).toEqual([])
  })

  it('marks entries read, unread and starred, and all entries before a date', async () => {
    const edit = (form: string) => at('edit-tag', { form })
    expect(await (await edit(`i=1&i=${longItemId(2 as EntryId)}&a=${STATE}read&T=x`)).text()).toBe('OK')
    expect(await unread()).toBe(2)
    await edit(`i=1&r=${STATE}read&a=${STATE}kept-unread`)
    expect(await unread()).toBe(3)
    await edit(`i=2&a=${STATE}starred`)
    const starred = await json(at(`stream/items/ids?s=${STATE}starred&n=100`))
    expect(starred.itemRefs.map(({ id }: { id: string }) => id)).toEqual(['2'])
    await edit(`i=2&r=user/1000/state/com.google/starred`)
    expect((await fixture.store.readerCounts(ada)).starred).toBe(0)
    await edit(`i=4&i=5&a=${STATE}read`)
    const { itemRefs } = await json(at(`stream/items/ids?s=${STATE}reading-list&n=10`))
    await at('mark-all-as-read', { form: `s=user/-/label/Sea&ts=${itemRefs.at(-1).timestampUsec}` })
    expect(await unread()).toBe(0)
  })

  it('labels entries, lists them, and renames and removes labels', async () => {
    const edit = (form: string) => at('edit-tag', { form })
    await edit('i=1&i=2&i=5&a=user/-/label/Later&a=user/-/label/x')
    await edit('i=2&r=user/1000/label/x')
    const tags = async () => (await json(at('tag/list'))).tags.map(({ id }: { id: string }) => id)
    expect(await tags()).toEqual([`${STATE}starred`, 'user/-/label/Sea', 'user/-/label/Later', 'user/-/label/x'])
    const { items } = await json(at('stream/contents/user/-/label/Later?r=o'))
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['High water', 'Low water'])
    expect(items[0].categories).toEqual(
      expect.arrayContaining(['user/-/label/Sea', 'user/-/label/Later', 'user/-/label/x']),
    )
    expect(await fixture.store.labelsOf(ada)).toEqual([
      { name: 'Later', entries: 2 },
      { name: 'x', entries: 1 },
    ])
    expect((await at('rename-tag', { form: 's=user/-/label/x&dest=user/-/label/later' })).status).toBe(409)
    await at('rename-tag', { form: 's=user/-/label/x&dest=user/-/label/y' })
    await at('disable-tag', { form: 's=user/-/label/Later' })
    expect(await fixture.store.labelsOf(ada)).toEqual([{ name: 'y', entries: 1 }])
  })

  it('subscribes, edits and unsubscribes', async () => {
    const added = at('subscription/quickadd', { form: 'quickadd=https%3A%2F%2Fnew.example%2F' })
    while ((await fixture.store.sources({ limit: 1 })).length === 0)
      await new Promise((resolve) => setImmediate(resolve))
    await fixture.findFeed(1 as never, 'https://new.example/feed', 'New')
    const ticking = setInterval(() => fixture.clock.advance(1000), 5)
    await Promise.resolve(added).finally(() => clearInterval(ticking))
    expect(await json(added)).toMatchObject({ numResults: 1, streamId: 'feed/4', streamName: 'New' })
    expect((await at('subscription/edit', { form: 'ac=edit&s=feed/4&t=Mine&a=user/-/label/Odd' })).status).toBe(200)
    expect(await fixture.store.subscriptionsTo(ada, [4 as FeedId])).toMatchObject([{ title: 'Mine', folder: 'Odd' }])
    await at('rename-tag', { form: 's=user/-/label/Odd&dest=user/-/label/Even' })
    expect(await fixture.store.subscriptionsTo(ada, [4 as FeedId])).toMatchObject([{ folder: 'Even' }])
    const long = 'x'.repeat(3_000)
    await at('rename-tag', { form: `s=user/-/label/Even&dest=user/-/label/${long}` })
    const [renamed] = await fixture.store.subscriptionsTo(ada, [4 as FeedId])
    expect(renamed!.folder).toBe(long.slice(0, 1_000))
    await at('disable-tag', { form: `s=user/-/label/${renamed!.folder}` })
    await at('subscription/edit', { form: 'ac=unsubscribe&s=feed/4' })
    expect(await fixture.store.subscriptionsTo(ada, [4 as FeedId])).toEqual([undefined])
  })

  it.each([
    ['subscription/edit', 'ac=dance&s=feed/1', 400],
    ['subscription/edit', 'ac=edit&s=feed/3', 404],
    ['subscription/edit', 'ac=edit&s=nothing', 400],
    ['mark-all-as-read', 's=feed/1&ts=soon', 400],
    ['mark-all-as-read', 's=user/-/state/com.google/broadcast', 404],
    ['rename-tag', 's=user/-/label/Sea&dest=Lake', 400],
  ])('%s with %s is rejected with a message', async (path, form, status) => {
    const answer = await at(path, { form })
    expect([answer.status, await json(answer)]).toEqual([status, expect.objectContaining({ hint: expect.any(String) })])
  })

  it('returns Atom for newsboat', async () => {
    await fixture.store.markEntries(ada, [1 as EntryId], 'read', NOW)
    const headers = { authorization: `GoogleLogin auth=${token}` }
    const atom = await (await send('/reader/atom/feed/1?n=20', { headers })).text()
    expect(atom).toMatch(/<id>tag:google.com,2005:reader\/item\/0000000000000001<\/id>/)
    expect(atom).toMatch(
      /<category term="user\/-\/state\/com.google\/read" scheme="http:\/\/www.google.com\/reader\/" label="read"/,
    )
  })

  it('accepts an action token instead of a login for POST, until it ends or the login is revoked', async () => {
    const headers = { authorization: `GoogleLogin auth=${token}` }
    const action = await (await send('/reader/api/0/token', { headers })).text()
    const star = async (form: string, path = '') =>
      (await send(`/reader/api/0/edit-tag${path}`, { form: `i=1&a=${STATE}starred&${form}` })).status
    expect(await star(`T=${action}`)).toBe(200)
    expect((await fixture.store.entryStates(ada, [1 as EntryId]))[0]?.starred).toBe(true)
    expect([await star(''), await star(`T=${action}x`), await star(`T=9${action}`)]).toEqual([401, 401, 401])
    expect(await star('', `?T=${action}`)).toBe(401)
    expect((await send(`/reader/api/0/subscription/list?T=${action}`)).status).toBe(401)
    const foreign = await send('/reader/api/0/edit-tag', {
      form: `i=1&T=${action}`,
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    await fixture.clock.advance(31 * MINUTE)
    const late = await send('/reader/api/0/edit-tag', { form: `i=1&T=${action}` })
    expect([late.status, late.headers.get('google-bad-token')]).toEqual([401, 'true'])
    const fresh = await (await send('/reader/api/0/token', { headers })).text()
    expect(await star(`T=${fresh}`)).toBe(200)
    for (const { id, name } of await fixture.store.credentialsOf(ada, fixture.clock.now()))
      if (name === 'reader') await fixture.store.removeCredentials(ada, { id })
    expect(await star(`T=${fresh}`)).toBe(401)
  })

  it('accepts an action token only with the rights of its login, and of its user', async () => {
    const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
    const { secret } = await accounts.addToken(ada, { name: 'r', scope: 'read' })
    const issue = async (login: string) =>
      (await send('/reader/api/0/token', { headers: { authorization: `GoogleLogin auth=${login}` } })).text()
    const status = async (action: string) =>
      (await send('/reader/api/0/edit-tag', { form: `i=1&a=${STATE}read&T=${action}` })).status
    const [readOnly, own] = [await issue(secret), await issue(token)]
    expect([await status(readOnly), await status(own)]).toEqual([403, 200])
    await accounts.change(ada, { password: 'another horse battery' })
    expect(await status(own)).toBe(401)
    const root = (await accounts.list())[0]!.id
    const { secret: other } = await accounts.addToken(root, { name: 'x', scope: 'write' })
    const quickadd = (T: string) =>
      send(`/reader/api/0/subscription/quickadd?quickadd=nowhere&T=${T}`, {
        headers: { authorization: `GoogleLogin auth=${other}` },
      })
    expect((await quickadd(own)).status).toBe(403)
    expect((await quickadd(await issue(other))).status).toBe(400)
  })

  it('returns all items that are asked for, whatever their number, and refuses more than ten thousand', async () => {
    const entries = Array.from({ length: 1500 }, (_, i) => ({ title: `Wave ${i}`, agoMs: HOUR + i }))
    const waves = await fixture.addFeed({ url: 'https://waves.example/feed', title: 'Waves', entries })
    await fixture.store.follow(ada, [{ feedId: waves }], NOW, 5000)
    const { itemRefs } = await json(at(`stream/items/ids?s=feed/${waves}&n=2000`))
    expect(itemRefs).toHaveLength(1500)
    const form = itemRefs.map(({ id }: { id: string }) => `i=${id}`).join('&')
    const { items } = await json(at('stream/items/contents', { form }))
    expect(items.map(({ id }: { id: string }) => entryIdIn(id))).toEqual(
      itemRefs.map(({ id }: { id: string }) => Number(id)),
    )
    const many = Array.from({ length: 10_001 }, (_, i) => `i=${i + 1}`).join('&')
    expect((await at('stream/items/contents', { form: many })).status).toBe(413)
    expect((await json(at('stream/items/contents', { form: 'i=999999' }))).items).toEqual([])
    const page = await json(at(`stream/contents/feed/${waves}?n=5000`))
    expect([page.items.length, typeof page.continuation]).toEqual([1000, 'string'])
  })

  it('tells when the account was added', async () => {
    const { signupTimeSec } = await json(at('user-info'))
    expect(signupTimeSec).toBe(Math.floor(NOW / 1000))
  })

  it('is read-only with a read-only token', async () => {
    const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
    const { secret } = await accounts.addToken(ada, { name: 'r', scope: 'read' })
    const headers = { authorization: `GoogleLogin auth=${secret}` }
    expect((await send('/reader/api/0/tag/list', { headers })).status).toBe(200)
    expect((await send('/reader/api/0/edit-tag', { headers, form: `i=1&a=${STATE}read` })).status).toBe(403)
  })

  it('parses ids in all forms', () => {
    expect(entryIdIn('tag:google.com,2005:reader/item/000000000000001f')).toBe(31)
    expect(
      ['31', '000000000000001F', '-1', 'ffffffffffffffff', '', '0', '1e3', '12345678901234567890'].map(entryIdIn),
    ).toEqual([31, 31, undefined, undefined, undefined, undefined, undefined, undefined])
  })
})

describe('the Fever API', () => {
  const ask = (query: string, form = '') =>
    json(send(`/fever/?api&${query}`, { form: `api_key=${fever}${form && `&${form}`}` }))

  it('accepts the MD5 of name and Fever token, and nothing else', async () => {
    expect(await ask('')).toMatchObject({
      api_version: 3,
      auth: 1,
      last_refreshed_on_time: expect.stringMatching(/^\d+$/),
    })
    expect(await json(send('/fever/?api', { form: `api_key=${'0'.repeat(32)}` }))).toEqual({ api_version: 3, auth: 0 })
    expect(await json(send('/fever/?api', { form: '' }))).toEqual({ api_version: 3, auth: 0 })
    expect((await send('/v1/me', { headers: { 'x-auth-token': `fever ${fever}` } })).status).toBe(401)
    const guess = async (i: number) =>
      (await send('/fever/?api', { form: `api_key=${String(i).padStart(32, '9')}` })).status
    for (let i = 0; i < 90; i++) expect(await guess(i)).toBe(200)
    for (let i = 90; i < 110; i++) await guess(i)
    expect(await guess(110)).toBe(429)
    expect(await ask('')).toMatchObject({ auth: 1 })
  })

  it('returns groups, feeds, items and ids', async () => {
    const { groups, feeds, feeds_groups } = await ask('groups&feeds')
    expect(feeds).toMatchObject([
      { id: 1, title: 'Tides' },
      { id: 2, title: 'Loaves' },
    ])
    expect([groups[0].title, feeds_groups]).toEqual(['Sea', [{ group_id: groups[0].id, feed_ids: '1' }]])
    const { items, total_items } = await ask('items&since_id=0')
    expect([items.map(({ id }: { id: number }) => id), total_items]).toEqual([[1, 2, 3, 4], 4])
    expect(items[0]).toMatchObject({ feed_id: 1, html: '<p>It rises.</p>', is_read: 0, is_saved: 0 })
    expect((await ask('items&max_id=3')).items.map(({ id }: { id: number }) => id)).toEqual([2, 1])
    expect((await ask('items&with_ids=4,5,1')).items.map(({ id }: { id: number }) => id)).toEqual([4, 1])
    expect(await ask('unread_item_ids&saved_item_ids')).toMatchObject({
      unread_item_ids: '4,3,2,1',
      saved_item_ids: '',
    })
  })

  it('answers a mark with the ids that it changes', async () => {
    const ids = async (form: string) => {
      const { unread_item_ids, saved_item_ids } = await ask('', form)
      return [unread_item_ids, saved_item_ids]
    }
    expect(await ids('mark=item&as=read&id=3')).toEqual(['4,2,1', undefined])
    expect(await ids('mark=item&as=unread&id=3')).toEqual(['4,3,2,1', undefined])
    expect(await ids('mark=item&as=saved&id=2')).toEqual([undefined, '2'])
    expect(await ids('mark=item&as=unsaved&id=2')).toEqual([undefined, ''])
    expect(await ids(`mark=feed&as=read&id=1&before=${NOW}`)).toEqual(['4', undefined])
    expect(await ids('mark=item&as=painted&id=2')).toEqual([undefined, undefined])
    expect(await ids('unread_recently_read=1')).toEqual(['4', undefined])
  })

  it('returns at most fifty items, forwards, backwards and by id', async () => {
    const entries = Array.from({ length: 120 }, (_, i) => ({ title: `Wave ${i}`, agoMs: HOUR + i }))
    const waves = await fixture.addFeed({ url: 'https://waves.example/feed', title: 'Waves', entries })
    await fixture.store.follow(ada, [{ feedId: waves }], NOW, 500)
    const ids = async (query: string) => (await ask(query)).items.map(({ id }: { id: number }) => id)
    const all = Array.from({ length: 124 }, (_, i) => i + 1).filter((id) => id !== 5) // 5 is in a feed of others
    const present = (await ask(`items&with_ids=${all.slice(0, 60).join(',')}`)).items
    expect(present.length).toBe(50)
    expect(await ids('items&since_id=10')).toEqual(Array.from({ length: 50 }, (_, i) => 11 + i))
    expect(await ids('items&max_id=60')).toEqual(Array.from({ length: 50 }, (_, i) => 59 - i))
    expect(await ids('items&since_id=120')).toEqual([121, 122, 123, 124, 125])
    expect(await ids('items&max_id=1')).toEqual([])
    expect((await ask('items')).total_items).toBe(124)
  })

  it('marks items, feeds and groups', async () => {
    await ask('', 'mark=item&as=read&id=1')
    await ask('', 'mark=item&as=saved&id=2')
    expect(await ask('unread_item_ids&saved_item_ids')).toMatchObject({ unread_item_ids: '4,3,2', saved_item_ids: '2' })
    await ask('', 'mark=item&as=unread&id=1')
    const { groups } = await ask('groups')
    await ask('', `mark=group&as=read&id=${groups[0].id}&before=${NOW}`)
    expect(await ask('unread_item_ids')).toMatchObject({ unread_item_ids: '4' })
    await ask('', `mark=feed&as=read&id=2&before=${Math.ceil(NOW / 1000)}`)
    expect(await unread()).toBe(0)
  })
})

describe('Miniflux’s API', () => {
  const at = (path: string, sent: Sent = {}) => send(`/v1/${path}`, { ...sent, headers: { 'x-auth-token': token } })

  it('accepts a token, or name and password', async () => {
    expect(await json(at('me'))).toMatchObject({ id: ada, username: 'ada' })
    const basic = (text: string) => ({ headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } })
    for (let i = 0; i < 8; i++) expect((await send('/v1/me', basic(`ada:${PASSWORD}`))).status).toBe(200)
    expect((await send('/v1/me', basic(`ada:${token}`))).status).toBe(200)
    expect((await send('/v1/me', basic(`bob:${token}`))).status).toBe(401)
    expect(await json(send('/v1/me'))).toEqual({ error_message: expect.stringContaining('login required') })
  })

  it('applies reduced rights at once, although the password is cached', async () => {
    const headers = { authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` }
    const mark = async () => {
      const body = { entry_ids: [1], status: 'read' }
      return (await send('/v1/entries', { method: 'PUT', body, headers })).status
    }
    expect(await mark()).toBe(204)
    const other = { name: 'another-admin', scope: 'admin', addedAt: 0, password: 'x' } as const
    const another = (await fixture.store.addUser(other))!
    await fixture.store.changeUser(ada, { scope: 'read' })
    expect(await mark()).toBe(403)
    await fixture.store.changeUser(ada, { scope: 'admin' })
    await fixture.store.removeUser(another)
  })

  it('returns feeds, categories and entries', async () => {
    const feeds = await json(at('feeds'))
    expect(feeds).toMatchObject([
      { id: 1, title: 'Tides', feed_url: 'https://tides.example/feed', category: { title: 'Sea' } },
      { id: 2, title: 'Loaves', category: { title: 'All' } },
    ])
    const categories = await json(at('categories?counts=true'))
    expect(categories).toMatchObject([
      { title: 'All', feed_count: 1, total_unread: 1 },
      { title: 'Sea', feed_count: 1, total_unread: 3 },
    ])
    const titles = async (path: string) => (await json(at(path))).entries.map(({ title }: { title: string }) => title)
    expect(await titles('feeds/1/entries?order=published_at&direction=desc')).toEqual([
      'High water',
      'Low water',
      'Slack water',
    ])
    expect(await titles('entries?status=unread&order=id&direction=desc&limit=2')).toEqual(['Rye', 'Slack water'])
    expect(await titles('entries?status=unread&order=id&direction=desc&limit=2&offset=2')).toEqual([
      'Low water',
      'High water',
    ])
    expect(await titles('entries?after_entry_id=2&limit=10&order=id')).toEqual(['Slack water', 'Rye'])
    expect(await titles(`categories/${categories[1].id}/entries`)).toHaveLength(3)
    expect(await titles('entries?search=rye')).toEqual(['Rye'])
    expect(await json(at('entries/1'))).toMatchObject({
      content: '<p>It rises.</p>',
      status: 'unread',
      starred: false,
      feed: { id: 1 },
    })
    expect((await at('entries/5')).status).toBe(404)
    expect((await json(at('feeds/counters'))).unreads).toEqual({ 1: 3, 2: 1 })
    expect(await (await at('export')).text()).toContain('<opml')
  })

  it('fills a page of search results with entries of subscriptions', async () => {
    const entries = [{ title: 'Water of others', agoMs: MINUTE }]
    await fixture.addFeed({ url: 'https://others.example/feed', title: 'Others', entries })
    await fixture.index()
    const found = await json(at('entries?search=water&limit=1&direction=desc'))
    expect(found.entries.map(({ title }: { title: string }) => title)).toEqual(['High water'])
  })

  it('marks and stars entries, and changes subscriptions', async () => {
    const put = (path: string, body: object = {}) => at(path, { method: 'PUT', body })
    expect((await put('entries', { entry_ids: [1, 2], status: 'read' })).status).toBe(204)
    expect(await unread()).toBe(2)
    expect((await put('entries/1/bookmark')).status).toBe(204)
    expect((await json(at('entries?starred=1'))).entries).toHaveLength(1)
    await put('feeds/2/mark-all-as-read')
    expect(await unread()).toBe(1)
    const category = await json(at('categories', { method: 'POST', body: { title: 'Food' } }))
    expect(await json(put('feeds/2', { title: 'Bakery', category_id: category.id }))).toMatchObject({
      title: 'Bakery',
      category: { title: 'Food' },
    })
    const long = 'x'.repeat(3_000)
    expect(await json(put(`categories/${category.id}`, { title: long }))).toMatchObject({ title: long.slice(0, 1_000) })
    await put(`users/${ada}/mark-all-as-read`)
    expect(await unread()).toBe(0)
    expect((await at('feeds/2', { method: 'DELETE', body: {} })).status).toBe(204)
    expect(await json(at('feeds'))).toHaveLength(1)
  })

  it.each([
    ['PUT', 'entries', { entry_ids: ['x'], status: 'read' }, 400],
    ['PUT', 'entries', { entry_ids: [1], status: 'gone' }, 400],
    ['PUT', 'feeds/3', { title: 'x' }, 404],
    ['PUT', 'categories/77', { title: 'x' }, 404],
    ['POST', 'feeds', { feed_url: 'nowhere' }, 400],
    ['GET', 'feeds/x', undefined, 400],
    ['GET', 'no/such/thing', undefined, 404],
    ['PUT', 'users/99/mark-all-as-read', {}, 403],
    ['GET', 'users', undefined, 403],
    ['GET', 'users/ada', undefined, 403],
    ['POST', 'users', { username: 'eve', password: PASSWORD }, 403],
    ['PUT', 'users/1', { is_admin: false }, 403],
    ['DELETE', 'users/1', {}, 403],
    ['GET', 'api-keys', undefined, 403],
    ['POST', 'api-keys', { description: 'x' }, 403],
    ['DELETE', 'api-keys/1', {}, 403],
    ['PUT', 'feeds/1', { feed_url: 'https://other.example/' }, 400],
    ['PUT', 'entries/1', { title: 'x' }, 400],
  ] as const)('%s %s %j is rejected with a message', async (method, path, body, status) => {
    const answer = await at(path, { method, ...(body && { body }) })
    expect([answer.status, await json(answer)]).toEqual([status, { error_message: expect.stringMatching(/.{10,}/) }])
  })
})

describe('all of them', () => {
  it.each(['/reader/api/0/edit-tag', '/fever/?api', '/v1/entries', '/accounts/ClientLogin'])(
    'reject %s from another site, and a body that is too large',
    async (path) => {
      const headers = { authorization: `GoogleLogin auth=${token}`, 'x-auth-token': token }
      const foreign = { origin: 'https://evil.example', ...headers }
      expect((await send(path, { form: 'i=1', headers: foreign })).status).toBe(403)
      expect((await send(path, { form: `i=${'1'.repeat(1_100_000)}`, headers })).status).toBe(413)
    },
  )

  it.each(['/reader/api/0/subscription/edit', '/reader/api/0/rename-tag'])(
    'accept at most 64 KB at %s, which takes no lists of ids',
    async (path) => {
      const headers = { authorization: `GoogleLogin auth=${token}` }
      expect((await send(path, { form: `x=${'1'.repeat(66_000)}`, headers })).status).toBe(413)
    },
  )

  it('accept ten thousand ids in their longest form in one request', async () => {
    const long = (id: number) => `i=tag%3Agoogle.com%2C2005%3Areader%2Fitem%2F${id.toString(16).padStart(16, '0')}`
    const form = [...Array.from({ length: 9_999 }, (_, i) => long(900_000_000 + i)), long(1)].join('&')
    const headers = { authorization: `GoogleLogin auth=${token}` }
    const answer = await send('/reader/api/0/edit-tag', { form: `${form}&a=user/-/state/com.google/starred`, headers })
    expect([answer.status, (await fixture.store.entryStates(ada, [1 as EntryId]))[0]?.starred]).toEqual([200, true])
  })

  it('limit the number of ids and items', async () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ title: `Many ${i}`, agoMs: i }))
    const id = await fixture.addFeed({ url: 'https://many.example/feed', title: 'Many', entries: many })
    await fixture.store.follow(ada, [{ feedId: id }], NOW, 100)
    const items = (await json(send('/fever/?api&items&since_id=0', { form: `api_key=${fever}` }))).items
    expect(items).toHaveLength(50)
    const limits: number[] = []
    const { arrivalsFor } = fixture.store
    fixture.store.arrivalsFor = (userId, query) => {
      limits.push(query.limit)
      return arrivalsFor(userId, query)
    }
    const headers = { authorization: `GoogleLogin auth=${token}` }
    await send('/reader/api/0/stream/items/ids?n=999999999', { headers })
    await send('/reader/api/0/stream/contents?n=999999999', { headers })
    await send('/fever/?api&unread_item_ids', { form: `api_key=${fever}` })
    expect(limits).toEqual([10_000, 1000, 50_000])
  })

  it('show the first user’s data without accounts', async () => {
    const alone = createServerFixture()
    const id = await alone.addFeed({ url: 'https://a.example/feed', title: 'A', entries: [{ title: 'One', agoMs: 1 }] })
    await alone.store.follow(await alone.store.firstUser(), [{ feedId: id }], NOW, 30)
    const login = await alone.app.request('http://localhost/accounts/ClientLogin', {
      method: 'POST',
      headers: FORM,
      body: 'Email=x&Passwd=y',
    })
    expect(login.status).toBe(200)
    expect(await json(alone.app.request('http://localhost/v1/feeds'))).toHaveLength(1)
    expect(await json(alone.app.request('http://localhost/reader/api/0/stream/items/ids?n=5'))).toMatchObject({
      itemRefs: [{ id: '1' }],
    })
  })
})

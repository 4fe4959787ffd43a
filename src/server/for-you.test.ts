/** The personal ranking over the API: it learns from reports, explains itself, forgets, and belongs to one user. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import type { ReasonShape } from '../api/index.ts'
import { DAY, type FeedId, HOUR } from '../model/index.ts'
import { both, placed } from '../ports/group-samples.contract.ts'
import { MAX_USER_VALUE_LENGTH } from '../ports/index.ts'
import { featuresOf, learnExamples, packRanking, unpackRanking, withPreference } from '../ranking/index.ts'
import { createAccounts } from './accounts.ts'

interface ForYouAnswer {
  isLearning: boolean
  examples: number
  considered: number
  entries: { id: number; title: string; feedTitle: string; score: number; reasons: ReasonShape[]; excerpt?: string }[]
}

const topics = ['harbour', 'bakery', 'railway', 'weather', 'theatre']

/** Five feeds with an entry about each topic every hour. */
async function filled() {
  const fixture = createServerFixture()
  const feeds = []
  for (const [n, name] of ['Anchor', 'Beacon', 'Courier', 'Dispatch', 'Echo'].entries()) {
    const entries = Array.from({ length: 15 }, (_, i) => ({
      title: `${topics[(i + n) % topics.length]} opens again number${n}x${i}`,
      summary: 'A few words.',
      agoMs: (i + 1) * HOUR + n,
    }))
    feeds.push(await fixture.addFeed({ url: `https://${name.toLowerCase()}.example/feed`, title: name, entries }))
  }
  const ask = async (method: string, path: string, body?: object, token?: string) => {
    const response = await fixture.app.request(`http://localhost/api/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) }
  }
  const list = async (query = ''): Promise<ForYouAnswer> => (await ask('GET', `for-you${query}`)).json
  const report = (signals: object) => ask('POST', 'for-you/interactions', signals)
  const idsAbout = async (topic: string) =>
    (await list('?limit=200')).entries.filter(({ title }) => title.startsWith(topic)).map(({ id }) => id)
  return { ...fixture, feeds, ask, list, report, idsAbout }
}

type Filled = Awaited<ReturnType<typeof filled>>

async function readAboutHarbours({ report, idsAbout }: Filled): Promise<void> {
  const [liked, skipped] = [await idsAbout('harbour'), await idsAbout('weather')]
  await report({ opened: liked.slice(0, 8), skipped: skipped.slice(0, 8) })
  await report({ finished: liked.slice(0, 8) })
}

describe('the list', () => {
  test('starts with the newest, and no feed fills it', async () => {
    const { list } = await filled()
    const { entries, considered, examples, isLearning } = await list('?limit=10')
    expect({ count: entries.length, considered, examples, isLearning }).toEqual({
      count: 10,
      considered: 75,
      examples: 0,
      isLearning: true,
    })
    expect(new Set(entries.slice(0, 5).map(({ feedTitle }) => feedTitle)).size).toBe(5)
    expect(entries[0]?.reasons).toMatchObject([{ feature: 'age:new', words: 'It is new' }])
  })

  test('puts what was opened before on top, and says why', async () => {
    const fixture = await filled()
    await readAboutHarbours(fixture)
    const { entries, examples } = await fixture.list('?limit=5')
    expect(examples).toBe(24)
    expect(entries.map(({ title }) => title.split(' ')[0])).toEqual(Array(5).fill('harbour'))
    expect(entries[0]?.reasons.map(({ words }) => words)).toContain('You often open posts about “harbour”')
  })

  test('has each story once, with the number of feeds that report it', async () => {
    const { list, store } = await filled()
    const [first, second, third] = (await list('?limit=3')).entries.map(({ id }) => id as never)
    await store.recordGroups([placed(first!), placed(second!, both(first!)), placed(third!, both(first!))], [], 0)
    const { entries } = await list('?limit=200')
    expect(entries.filter(({ id }) => [first, second, third].includes(id as never))).toHaveLength(1)
    expect(entries[0]?.reasons.map(({ words }) => words)).toContain('3 of your feeds report it')
  })

  test('lists stories later that the user has read about, and says so', async () => {
    const { list, store, ask } = await filled()
    const [first, second] = (await list('?limit=2')).entries.map(({ id }) => id as never)
    await store.recordGroups([placed(first!), placed(second!, both(first!))], [], 0)
    await ask('POST', 'reading/state', { entries: [first], as: 'read' })
    const { entries } = await list('?limit=200')
    expect(entries.slice(0, 10).map(({ id }) => id)).not.toContain(second)
    const [reason] = entries.find(({ id }) => id === second)!.reasons
    expect(reason?.words).toBe('You have read another report of it')
    const { weights } = (await ask('PATCH', 'for-you/learned', { feature: 'known:story', preference: 'never' })).json
    expect(weights[0].words).toBe('You never want stories that you have read about')
    expect((await list('?limit=200')).entries.map(({ id }) => id)).not.toContain(second)
  })

  test('leaves out what was read, unless it is asked for, and what is older than asked', async () => {
    const { list, ask } = await filled()
    const [first] = (await list()).entries
    await ask('POST', 'reading/state', { entries: [first!.id], as: 'read' })
    const ids = async (query: string) => (await list(query)).entries.map(({ id }) => id)
    expect(await ids('')).not.toContain(first!.id)
    expect(await ids('?unread=false')).toContain(first!.id)
    expect((await list('?since=2026-03-14T00:00:00Z&limit=200')).considered).toBe(44)
  })

  test('considers at most two thousand entries, and lists at most two hundred', async () => {
    const { addFeed, list, ask } = await filled()
    const entries = Array.from({ length: 2100 }, (_, i) => ({ title: `Post ${i}`, agoMs: DAY + i }))
    await addFeed({ url: 'https://busy.example/feed', title: 'Busy', entries })
    expect((await list('?limit=200')).considered).toBe(2000)
    expect((await ask('GET', 'for-you?limit=201')).status).toBe(400)
  })

  test('is ranked thirty times at once and once per second for a user', async () => {
    const { ask, clock } = await filled()
    for (let i = 0; i < 30; i++) expect((await ask('GET', 'for-you?limit=1')).status).toBe(200)
    expect((await ask('GET', 'for-you/comparison')).status).toBe(429)
    await clock.advance(1000)
    expect((await ask('GET', 'for-you?limit=1')).status).toBe(200)
    expect((await ask('GET', 'for-you?limit=1')).status).toBe(429)
  })

  test('has the beginning of texts on request', async () => {
    const { list } = await filled()
    expect((await list('?excerpts=true&limit=1')).entries[0]?.excerpt).toBe('A few words.')
    expect((await list('?limit=1')).entries[0]).not.toHaveProperty('excerpt')
  })
})

describe('reports', () => {
  test('count once, and only for entries that exist', async () => {
    const { list, report } = await filled()
    const [first] = (await list()).entries
    expect((await report({ opened: [first!.id, 999_999] })).json).toEqual({ learned: 1 })
    expect((await report({ opened: [first!.id], skipped: [first!.id] })).json).toEqual({ learned: 0 })
  })

  test('that arrive together are all learned', async () => {
    const { list, report } = await filled()
    const ids = (await list('?limit=30')).entries.map(({ id }) => id)
    await Promise.all(ids.map((id) => report({ opened: [id] })))
    expect((await list()).examples).toBe(30)
  })

  test('have at most two hundred entries of each kind', async () => {
    const { report } = await filled()
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
    expect((await report({ opened: ids(200) })).status).toBe(200)
    expect((await report({ opened: ids(201) })).status).toBe(400)
    expect((await report({})).status).toBe(400)
  })

  test('are made by stars', async () => {
    const { ask, list } = await filled()
    const [first] = (await list()).entries
    await ask('POST', 'reading/state', { entries: [first!.id], as: 'starred' })
    await ask('POST', 'reading/state', { entries: [first!.id], as: 'unstarred' })
    expect((await ask('GET', 'for-you/interactions')).json.interactions).toMatchObject([
      { entryId: first!.id, title: first!.title, signals: { starred: expect.any(String) } },
    ])
  })

  test('are recorded for at most five thousand entries', async () => {
    const { store, ask } = await filled()
    const userId = await store.firstUser()
    const values = Array.from({ length: 5100 }, (_, i) => ({ key: String(i + 1), value: { opened: i } }))
    await store.putUserValues(userId, 'interaction', values, 1)
    expect((await ask('GET', 'for-you/learned')).json.interactions).toBe(5000)
  })
})

describe('what was learned', () => {
  test('is listed in words, the strongest first', async () => {
    const fixture = await filled()
    await readAboutHarbours(fixture)
    const { weights, interactions } = (await fixture.ask('GET', 'for-you/learned')).json
    expect(interactions).toBe(16)
    const words = weights.map(({ words }: ReasonShape) => words)
    expect(words).toContain('You often open posts about “harbour”')
    expect(words).toContain('You rarely open posts about “weather”')
    expect(words).toContain('New posts come first')
  })

  test('can be overruled for each reason', async () => {
    const fixture = await filled()
    await readAboutHarbours(fixture)
    const prefer = (feature: string, preference: string | null) =>
      fixture.ask('PATCH', 'for-you/learned', { feature, preference })
    const firstTopics = async () => (await fixture.list('?limit=5')).entries.map(({ title }) => title.split(' ')[0])
    expect((await prefer('word:weather', 'more')).json.weights).toContainEqual(
      expect.objectContaining({
        feature: 'word:weather',
        preference: 'more',
        words: 'You want more posts about “weather”',
      }),
    )
    await prefer('word:harbour', 'never')
    expect(await firstTopics()).toEqual(Array(5).fill('weather'))
    expect(await fixture.idsAbout('harbour')).toEqual([])
    await prefer('word:harbour', null)
    await prefer('word:weather', null)
    expect(await firstTopics()).toEqual(Array(5).fill('harbour'))
  })

  test.each([
    { feature: 'mood:good', preference: 'more' },
    { feature: 'age:new', preference: 'never' },
    { feature: 'word:x' },
    { preference: 'more' },
    {},
  ])('cannot be changed by %o', async (edit) => {
    const { ask } = await filled()
    expect((await ask('PATCH', 'for-you/learned', edit)).status).toBe(400)
  })

  test('is forgotten completely', async () => {
    const fixture = await filled()
    const before = await fixture.list('?limit=50')
    await readAboutHarbours(fixture)
    await fixture.ask('PATCH', 'for-you/learned', { feature: 'word:weather', preference: 'less' })
    expect((await fixture.ask('DELETE', 'for-you/learned')).status).toBe(204)
    expect(await fixture.list('?limit=50')).toEqual(before)
    expect((await fixture.ask('GET', 'for-you/interactions')).json).toEqual({ interactions: [] })
  })

  test('is learned again from what was recorded if the model is lost', async () => {
    const fixture = await filled()
    await readAboutHarbours(fixture)
    const userId = await fixture.store.firstUser()
    await fixture.store.putUserValues(userId, 'ranking', [{ key: 'ranking', value: { version: 0 } }], 0)
    expect((await fixture.list()).examples).toBe(0)
    const [next] = (await fixture.idsAbout('harbour')).slice(8)
    await fixture.report({ opened: [next] })
    const { examples, entries } = await fixture.list('?limit=5')
    expect(examples).toBe(25)
    expect(entries.map(({ title }) => title.split(' ')[0])).toEqual(Array(5).fill('harbour'))
  })

  test('does not change while learning is off, and nothing is recorded', async () => {
    const fixture = await filled()
    expect((await fixture.ask('PATCH', 'for-you/learned', { isLearning: false })).json.isLearning).toBe(false)
    await readAboutHarbours(fixture)
    expect((await fixture.ask('GET', 'for-you/learned')).json).toMatchObject({ examples: 0, interactions: 0 })
    await fixture.ask('DELETE', 'for-you/learned')
    expect((await fixture.list()).isLearning).toBe(false)
    await fixture.ask('PATCH', 'for-you/learned', { isLearning: true })
    await readAboutHarbours(fixture)
    expect((await fixture.list()).examples).toBe(24)
  })

  test('is of one user', async () => {
    const fixture = await filled()
    await readAboutHarbours(fixture)
    const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
    await accounts.add('ada', 'correct horse battery')
    const bob = await accounts.add('bob', 'correct horse battery', 'write')
    const { secret } = await accounts.addToken(bob.id, { name: 't', scope: 'write' })
    const asBob = (method: string, path: string, body?: object) => fixture.ask(method, path, body, secret)
    const [first] = await fixture.store.entries({ limit: 1 })
    expect((await asBob('POST', 'for-you/interactions', { opened: [first!.id] })).json).toEqual({ learned: 0 })
    for (const path of ['for-you', 'for-you/learned', 'for-you/interactions', 'for-you/comparison']) {
      const { text } = await asBob('GET', path)
      for (const word of ['harbour', 'Anchor']) expect(text, path).not.toContain(word)
    }
    await fixture.store.follow(bob.id, [{ feedId: fixture.feeds[0]! }], 0, 99)
    await asBob('POST', 'for-you/interactions', { opened: [first!.id] })
    await accounts.remove(bob.id)
    expect(await fixture.store.userValues(bob.id, 'interaction', { limit: 9 })).toEqual([])
    expect(await fixture.store.userValues(bob.id, 'ranking', { limit: 9 })).toEqual([])
  })
})

test('the largest model is small enough to be stored', () => {
  const texts = ['"', '\\', '\u0001', '\ud800', '漢', 'x', '😀']
  let ranking = unpackRanking(undefined)
  for (let i = 0; i < 3000; i++) {
    const long = texts[i % texts.length]!.repeat(45)
    const tags = [`${i}${long}`, `${long}${i}`]
    const facts = { feedId: i as FeedId, publishedAt: 0, titleWords: [`w${tags[0]}`], tags, outlets: 1, characters: 0 }
    const example = { features: featuresOf(facts, DAY * i), isLiked: i % 3 > 0, weight: 2, at: DAY * i }
    const preferences = withPreference(ranking.preferences, `tag:${'x'.repeat(70)}${i}`, 'never')
    ranking = { ...ranking, model: learnExamples(ranking.model, [example]), preferences }
  }
  expect(ranking.model.weights.size).toBeGreaterThan(1700)
  expect(JSON.stringify(packRanking(ranking)).length).toBeLessThan(MAX_USER_VALUE_LENGTH)
})

test('the own sessions are compared with newest first', async () => {
  const fixture = await filled()
  const [liked, skipped] = [await fixture.idsAbout('harbour'), await fixture.idsAbout('weather')]
  for (let i = 0; i < 5; i++) {
    await fixture.report({ opened: liked.slice(3 * i, 3 * i + 3), skipped: skipped.slice(3 * i, 3 * i + 3) })
    await fixture.clock.advance(DAY)
  }
  const { json } = await fixture.ask('GET', 'for-you/comparison')
  expect(json).toMatchObject({ interactions: 30, sessions: 5 })
  expect(json.personal.ndcgAt20).toBeGreaterThan(json.newest.ndcgAt20)
})

test('an outgoing feed has the best entries', async () => {
  const fixture = await filled()
  await readAboutHarbours(fixture)
  const { json } = await fixture.ask('POST', 'feeds-out', { name: 'Mine', of: { kind: 'for-you' } })
  const response = await fixture.app.request(`http://localhost${json.paths.json}?limit=5`)
  const { title, items } = (await response.json()) as { title: string; items: { title: string }[] }
  expect(title).toBe('Mine')
  expect(items.map((item) => item.title.split(' ')[0])).toEqual(Array(5).fill('harbour'))
  expect((await fixture.list()).examples).toBe(24)
})

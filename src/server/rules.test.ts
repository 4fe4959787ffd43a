/** Rules of two users: edited over the API, and applied to entries. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { applyListedRules, createRuleRunner, loadRules } from '../filtering/index.ts'
import { HOUR } from '../model/index.ts'
import { rolesOf } from '../ports/index.ts'
import { createAccounts } from './accounts.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the fixture
type Answer = { status: number; json: any; text: string }

async function started() {
  const fixture = createServerFixture()
  const addNews = (url: string, ...titles: string[]) =>
    fixture.addFeed({
      url,
      title: url,
      folder: 'Sea',
      entries: titles.map((title, i) => ({ title, agoMs: (i + 1) * HOUR, summary: `About the ${title}.` })),
    })
  const tides = await addNews('https://tides.example/feed', 'High water', 'Low water', 'Sponsored boots')
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const as = async (name: string) => {
    const account = await accounts.add(name, 'correct horse battery')
    const { secret } = await accounts.addToken(account.id, { name: 't', scope: 'write' })
    return async (method: string, path: string, body?: object): Promise<Answer> => {
      const response = await fixture.app.request(`/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      })
      const text = await response.text()
      return { status: response.status, text, json: text ? JSON.parse(text) : undefined }
    }
  }
  const mistakes: unknown[] = []
  const runner = () =>
    createRuleRunner({
      ...rolesOf(fixture.store),
      search: fixture.search,
      clock: fixture.clock,
      requestArticle: async () => undefined,
      onInternalError: (error) => mistakes.push(error),
    })
  const run = async () => {
    await runner().runOnce()
    expect(mistakes).toEqual([])
  }
  return { ...fixture, tides, addNews, run, ada: await as('ada'), bob: await as('bob') }
}

const titles = ({ json }: Answer) => json.entries.map(({ title }: { title: string }) => title)
const mute = { name: 'Ads', query: 'title:/^sponsored/i', actions: [{ kind: 'mute' }] }

describe('rules', () => {
  test('are all kept when several are added and changed at the same time', async () => {
    const { ada } = await started()
    const names = ['Ads', 'Boots', 'Tides', 'Harbours']
    const added = await Promise.all(names.map((name) => ada('POST', 'rules', { ...mute, name })))
    await Promise.all(added.map(({ json }) => ada('PATCH', `rules/${json.id}`, { enabled: false })))
    const { rules } = (await ada('GET', 'rules')).json
    expect(new Set(rules.map(({ name }: { name: string }) => name))).toEqual(new Set(names))
    expect(rules.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([false, false, false, false])
  })

  test('are added, listed, changed, moved and removed, each user on their own', async () => {
    const { ada, bob } = await started()
    const { id } = (await ada('POST', 'rules', mute)).json
    await ada('POST', 'rules', { name: 'All', query: '', actions: [{ kind: 'label', label: 'sea' }] })
    const names = async () => (await ada('GET', 'rules')).json.rules.map(({ name }: { name: string }) => name)
    expect(await names()).toEqual(['Ads', 'All'])
    expect((await ada('PATCH', `rules/${id}`, { name: 'Adverts', position: 1 })).json).toMatchObject({
      name: 'Adverts',
      enabled: true,
      scope: { kind: 'all' },
      matchedThisWeek: 0,
    })
    expect(await names()).toEqual(['All', 'Adverts'])
    expect((await bob('GET', 'rules')).json).toEqual({ rules: [] })
    expect((await bob('PATCH', `rules/${id}`, { name: 'x' })).status).toBe(404)
    expect((await bob('DELETE', `rules/${id}`)).status).toBe(404)
    const { rules } = (await ada('GET', 'rules')).json
    const exported = rules.map(({ matchedThisWeek: _, ...rule }: { matchedThisWeek: number }) => rule)
    expect((await ada('PUT', 'rules', { rules: exported.toReversed() })).json.rules).toEqual(rules.toReversed())
    expect((await ada('DELETE', `rules/${id}`)).status).toBe(204)
    expect(await names()).toEqual(['All'])
  })

  test.each([
    [{ query: 'foo:bar' }, 'unknown operator'],
    [{ query: '/(/' }, 'not a regular expression'],
    [{ query: 'feed:nowhere' }, 'no feed is called'],
    [{ query: 'a'.repeat(1001) }, ''],
    [{ actions: [] }, ''],
    [{ actions: [{ kind: 'label', label: '' }] }, ''],
    [{ actions: Array.from({ length: 11 }, () => ({ kind: 'read' })) }, ''],
  ])('are rejected if invalid: %o', async (change, reason) => {
    const { ada } = await started()
    const { status, text } = await ada('POST', 'rules', { ...mute, ...change })
    expect(status).toBe(400)
    expect(text).toContain(reason)
  })

  test('are at most 500 per user, with 50 regular expressions', async () => {
    const { ada } = await started()
    const rule = { name: 'r', query: 'x', actions: [{ kind: 'read' }] }
    expect((await ada('PUT', 'rules', { rules: Array.from({ length: 500 }, () => rule) })).status).toBe(200)
    expect((await ada('POST', 'rules', rule)).status).toBe(409)
    const patterns = (length: number) => Array.from({ length }, () => ({ ...rule, query: '/x/ -title:/y/' }))
    expect((await ada('PUT', 'rules', { rules: patterns(25) })).status).toBe(200)
    expect((await ada('PUT', 'rules', { rules: patterns(26) })).status).toBe(409)
  })

  test('are applied once to entries that arrive after the rule', async () => {
    const { ada, bob, addNews, run } = await started()
    await ada('POST', 'rules', mute)
    await ada('POST', 'rules', {
      name: 'Water',
      query: 'water -is:muted',
      scope: { kind: 'folder', folder: 'Sea' },
      actions: [{ kind: 'label', label: 'Water' }, { kind: 'star' }],
    })
    const user = (await ada('GET', 'subscriptions')).json.subscriptions[0]
    expect(user).toMatchObject({ folder: 'Sea' })
    await run()
    expect(titles(await ada('GET', 'entries?muted=true'))).toEqual([])
    await addNews('https://harbor.example/feed', 'Deep water', 'Sponsored water', 'Fog')
    await run()
    await run()
    expect(titles(await ada('GET', 'entries?muted=true'))).toEqual(['Sponsored water'])
    expect(titles(await ada('GET', 'entries?label=water'))).toEqual(['Deep water'])
    expect(titles(await ada('GET', 'entries?starred=true'))).toEqual(['Deep water'])
    expect((await ada('GET', 'rules')).json.rules).toMatchObject([
      { matchedThisWeek: 1, lastEntryId: 5 },
      { matchedThisWeek: 1, lastMatchedAt: expect.any(String) },
    ])
    expect((await bob('GET', 'labels')).json).toEqual({ labels: [] })
  })

  test('show what they would have matched, and are applied to old entries on request', async () => {
    const { ada, bob, tides } = await started()
    const preview = await ada('POST', 'rules/preview', { query: 'water' })
    expect(preview.json).toMatchObject({
      checked: 3,
      matched: 2,
      entries: [{ title: 'Low water' }, { title: 'High water' }],
    })
    expect((await bob('POST', 'rules/preview', { query: 'water' })).json).toMatchObject({ checked: 0, matched: 0 })
    expect((await ada('POST', 'rules/preview', { query: 'title:/(/' })).status).toBe(400)
    const { id } = (await ada('POST', 'rules', { ...mute, scope: { kind: 'feed', feedId: tides } })).json
    expect((await bob('POST', `rules/${id}/apply`)).status).toBe(404)
    expect((await ada('POST', `rules/${id}/apply`)).json).toEqual({ checked: 3, matched: 1, changed: 1 })
    expect(titles(await ada('GET', 'entries'))).toEqual(['High water', 'Low water'])
    expect((await ada('POST', `rules/${id}/apply`)).json).toMatchObject({ changed: 0 })
  })
})

test('rules of freshet.toml come first, and are not changed, moved or removed over the API', async () => {
  const { ada, store, clock } = await started()
  const userId = (await store.allUsers())[0]!.id
  const parts = { ...rolesOf(store), clock }
  const listed = {
    name: 'File',
    enabled: true,
    scope: { kind: 'all' },
    query: 'tide',
    actions: [{ kind: 'star' }],
  } as const
  const own = (await ada('POST', 'rules', mute)).json
  await applyListedRules(parts, userId, [{ ...listed, actions: [...listed.actions] }])
  const rules = async () => (await ada('GET', 'rules')).json.rules
  const [file] = await rules()
  expect((await rules()).map(({ name, fromFile }: { name: string; fromFile?: true }) => [name, fromFile])).toEqual([
    ['File', true],
    ['Ads', undefined],
  ])
  for (const [method, body] of [
    ['PATCH', { enabled: false }],
    ['PATCH', { position: 1 }],
    ['DELETE', {}],
  ] as const)
    expect((await ada(method, `rules/${file.id}`, body)).status).toBe(409)
  await ada('PATCH', `rules/${own.id}`, { position: 0 })
  expect((await rules())[0].name).toBe('File')
  await ada('PUT', 'rules', { rules: [{ ...mute, name: 'New' }] })
  expect((await rules()).map(({ name }: { name: string }) => name)).toEqual(['File', 'New'])

  await applyListedRules(parts, userId, [{ ...listed, name: 'FILE', actions: [{ kind: 'read' }] }])
  expect((await rules())[0]).toMatchObject({ id: file.id, name: 'FILE', actions: [{ kind: 'read' }] })
  const bob = (await store.allUsers())[1]!.id
  await applyListedRules(parts, bob, [{ ...listed, actions: [...listed.actions] }])
  expect((await rules()).map(({ name }: { name: string }) => name)).toEqual(['New'])
  await applyListedRules(parts, bob, [])
  expect(await loadRules(parts, bob)).toEqual([])
})

/** Searches over the API: inflected forms, queries that are being typed, words with signs, and unknown operators. */
import { expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { HOUR } from '../model/index.ts'

async function filled() {
  const fixture = createServerFixture()
  const titles = [
    'Oil price',
    'Oil prices rise',
    'Pricing of oil prices',
    'Modern C++20 in practice',
    'Vitamin C and you',
    'C# for beginners',
    'The net closes in',
    '.NET is here',
    'AT&T merges',
    'Look at T cells',
    'An F-16 lands on node.js',
  ]
  const entries = titles.map((title, i) => ({ key: `${i}`, title, agoMs: (i + 1) * HOUR }))
  await fixture.addFeed({ url: 'https://wire.example/feed', title: 'The Wire', entries })
  await fixture.index()
  const ask = async (q: string, more = '') => {
    const response = await fixture.app.request(`/api/v1/entries?q=${encodeURIComponent(q)}${more}`)
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const titlesOf = async (q: string, more = '') =>
    (await ask(q, more)).body.entries.map(({ title }: { title: string }) => title).sort()
  return { ask, titlesOf }
}

test('completes the last word of a query that is being typed, and suggests what it may become', async () => {
  const { ask, titlesOf } = await filled()
  const oil = ['Oil price', 'Oil prices rise', 'Pricing of oil prices']
  expect(await titlesOf('oil pric')).toEqual([])
  expect(await titlesOf('oil pric', '&typing=true')).toEqual(oil)
  expect(await titlesOf('oil prices', '&typing=true')).toEqual(oil)
  expect(await titlesOf('oil p', '&typing=true')).toEqual(oil)
  expect(await titlesOf('oil lang:e', '&typing=true')).toEqual(oil)
  const { body } = await ask('oil pric', '&typing=true')
  expect(body.completions).toEqual(['oil prices', 'oil price', 'oil Pricing', '"oil prices"'])
  expect(body.hits).toEqual({ total: 3, folded: 0 })
  expect(body.entries.every(({ found }: { found: { titleMarks: [] } }) => found.titleMarks.length > 1)).toBe(true)
  expect((await ask('oil')).body.completions).toBeUndefined()
})

test.each([
  ['price', ['Oil price', 'Oil prices rise', 'Pricing of oil prices']],
  ['"price"', ['Oil price']],
  ['C++', ['Modern C++20 in practice']],
  ['c#', ['C# for beginners']],
  ['c', ['C# for beginners', 'Modern C++20 in practice', 'Vitamin C and you']],
  ['c -C++', ['C# for beginners', 'Vitamin C and you']],
  ['C++ OR vitamin', ['Modern C++20 in practice', 'Vitamin C and you']],
  ['.NET', ['.NET is here']],
  ['AT&T', ['AT&T merges']],
  ['F-16', ['An F-16 lands on node.js']],
  ['node.js', ['An F-16 lands on node.js']],
])('finds %s', async (q, titles) => {
  const { ask, titlesOf } = await filled()
  expect(await titlesOf(q)).toEqual(titles)
  expect((await ask(q)).body.hits).toEqual({ total: titles.length, folded: 0 })
  expect((await ask(q, '&limit=1&sort=date')).body.hits.total).toBe(titles.length)
})

test.each([
  ['autor:x', /unknown operator .{1,3}autor.*did you mean author:\?/s],
  ['oil is:foo', /is: cannot be .*foo.*unread, read, starred, muted or mine/s],
  ['befor:2026', /unknown operator .{1,3}befor.*did you mean until:\?/s],
])('refuses %s with a hint, also while it is typed', async (q, message) => {
  const { ask } = await filled()
  for (const more of ['', '&typing=true']) {
    const { status, body } = await ask(q, more)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toMatch(message)
  }
})

test('checks words with signs in a limited number of entries', async () => {
  const fixture = createServerFixture()
  const entries = Array.from({ length: 1100 }, (_, i) => ({ key: `${i}`, title: 'Vitamin C', agoMs: (i + 1) * HOUR }))
  await fixture.addFeed({ url: 'https://c.example/feed', title: 'C', entries })
  await fixture.index()
  const response = await fixture.app.request(`/api/v1/entries?q=${encodeURIComponent('C++')}`)
  expect(await response.json()).toMatchObject({ entries: [], hits: { total: 0, more: true } })
})

import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { loadSends, recordSend, saveDestination } from '../destinations/index.ts'
import { type EntryId, HOUR, MINUTE, type Rule, type UserId } from '../model/index.ts'
import { rolesOf } from '../ports/index.ts'
import { createMemorySearch } from '../search/index.ts'
import { createApplyEffects } from './apply-effects.ts'
import { previewMatches } from './old-entries.ts'
import { createRuleRunner } from './run-rules.ts'
import { loadProgress, saveRules } from './stored-rules.ts'

const rule = (query: string, changes: Partial<Rule> = {}): Rule => ({
  id: 'r',
  name: 'r',
  enabled: true,
  scope: { kind: 'all' },
  query,
  actions: [{ kind: 'star' }],
  ...changes,
})

async function started() {
  const { store, clock, addFeed } = createServerFixture()
  const userId = await store.firstUser()
  const parts = { ...rolesOf(store), search: createMemorySearch(), clock }
  const requested: number[] = []
  let feeds = 0
  const arrive = (...titles: string[]) =>
    addFeed({
      url: `https://f${++feeds}.example/feed`,
      title: 'f',
      entries: titles.map((title) => ({
        title,
        agoMs: HOUR,
        url: `https://f${feeds}.example/${encodeURIComponent(title)}`,
      })),
    })
  const starred = async () =>
    (await store.entriesFor(userId, { starred: true, limit: 99 })).entries.map(({ title }) => title).sort()
  const run = (changes: Partial<Parameters<typeof createRuleRunner>[0]> = {}) =>
    createRuleRunner({
      ...parts,
      requestArticle: async (id) => requested.push(id),
      onInternalError: (error) => {
        throw error
      },
      ...changes,
    }).runOnce()
  const matchedOf = async () => (await loadProgress(parts, userId))?.matches.r?.days
  return { store, clock, userId, parts, arrive, starred, run, matchedOf, requested }
}

describe('rules of new entries', () => {
  test('wait for the article of an entry, for ten minutes', async () => {
    const { store, clock, userId, parts, arrive, starred, run } = await started()
    await saveRules(parts, userId, [rule('tide')])
    await arrive('High tide', 'Low tide')
    const ids = (await store.listEntries({ limit: 9 })).entries.map(({ id, title, url }) => ({ id, title, url: url! }))
    const { id, url } = ids.find(({ title }) => title === 'High tide')!
    await store.queueArticles(
      [{ entryId: id, url: url as never, root: 'f1.example', newsAt: 0, why: 'excerpt' } as never],
      0,
    )
    await run()
    expect(await starred()).toEqual(['Low tide'])
    await clock.advance(11 * MINUTE)
    await run()
    expect(await starred()).toEqual(['High tide', 'Low tide'])
  })

  test('are applied again after a crash without doing or counting anything twice', async () => {
    const { store, userId, parts, arrive, starred, run, matchedOf } = await started()
    await saveRules(parts, userId, [rule('tide')])
    await arrive('High tide', 'Fog', 'Low tide')
    const broken = {
      ...parts.userValues,
      putUserValues: () => Promise.reject(new Error('killed')),
    }
    await expect(run({ userValues: broken })).rejects.toThrow('killed')
    expect(await matchedOf()).toBeUndefined()
    await store.starEntries(
      userId,
      (await store.entriesFor(userId, { starred: true, limit: 9 })).entries.map(({ id }) => id),
      false,
      0,
    )
    await run()
    await run()
    expect(await starred()).toEqual(['High tide', 'Low tide'])
    expect(Object.values((await matchedOf()) ?? {})).toEqual([2])
  })

  test('of which none was enabled apply from the next entry on', async () => {
    const { userId, parts, arrive, starred, run } = await started()
    await saveRules(parts, userId, [rule('tide', { enabled: false })])
    await arrive('Old tide')
    await run()
    await saveRules(parts, userId, [rule('tide')])
    await arrive('New tide')
    await run()
    expect(await starred()).toEqual(['New tide'])
  })

  test('leave out entries of feeds that the user does not follow', async () => {
    const { store, userId, parts, arrive, starred, run } = await started()
    await saveRules(parts, userId, [rule('')])
    const feedId = await arrive('Tide')
    await store.unfollow(userId, [{ feedId }])
    await run()
    expect(await starred()).toEqual([])
  })
})

test('rules request the articles of matching entries', async () => {
  const { userId, parts, arrive, run, requested } = await started()
  await saveRules(parts, userId, [rule('tide', { actions: [{ kind: 'fetch-article' }] })])
  await arrive('High tide', 'Fog', 'Low tide')
  await run()
  await run()
  expect(requested).toHaveLength(2)
})

test('rules of a user request at most 200 articles per hour', async () => {
  const { parts } = await started()
  const requested: number[] = []
  const apply = createApplyEffects({ ...parts, requestArticle: async (id) => requested.push(id) })
  for (let id = 1; id <= 300; id++) await apply(1 as UserId, id as EntryId, [{ kind: 'fetch-article' }], 0)
  expect(requested).toHaveLength(200)
  await apply(2 as UserId, 301 as EntryId, [{ kind: 'fetch-article' }], 0)
  await apply(1 as UserId, 302 as EntryId, [{ kind: 'fetch-article' }], HOUR)
  expect(requested.slice(200)).toEqual([301, 302])
})

test('rules send matching entries to a destination once, also after a crash', async () => {
  const { userId, parts, arrive, run, store } = await started()
  const destination = { id: 'd', name: 'Later', preset: 'linkding', fields: {}, secrets: {}, addedAt: 0 }
  await saveDestination(store, userId, destination, 0)
  await saveRules(parts, userId, [
    rule('tide', {
      actions: [
        { kind: 'send', destination: 'later' },
        { kind: 'send', destination: 'removed' },
      ],
    }),
  ])
  await arrive('High tide', 'Fog')
  const putUserValues: typeof store.putUserValues = async (...args) =>
    args[1] === 'ruleProgress' ? Promise.reject(new Error('killed')) : store.putUserValues(...args)
  await expect(run({ userValues: { ...parts.userValues, putUserValues } })).rejects.toThrow('killed')
  const [job] = await loadSends(store, userId)
  await recordSend(store, userId, { ...job!, state: 'sent', last: { at: 0 } }, 0)
  await run()
  expect(await loadSends(store, userId)).toMatchObject([{ destinationId: 'd', state: 'sent' }])
})

test('a preview checks the last thousand entries', async () => {
  const { userId, parts, arrive } = await started()
  await arrive(...Array.from({ length: 1100 }, (_, i) => `Entry ${i}`))
  const found = await previewMatches(rule('entry'), userId, parts)
  expect(found).toMatchObject({ checked: 1000, matched: 1000 })
  expect('entries' in found && found.entries).toHaveLength(20)
})

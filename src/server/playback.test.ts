/** Positions in recordings: saved by entry, listed most recently played first, and private. */
import { describe, expect, test } from 'vitest'
import { createPrivacyHarness } from '../../test/privacy-harness.ts'
import { createServerFixture } from '../../test/server-fixture.ts'
import { HOUR, MINUTE } from '../model/index.ts'

async function filled() {
  const fixture = createServerFixture()
  const entries = [1, 2, 3].map((i) => ({ title: `Talk ${i}`, agoMs: i * HOUR }))
  await fixture.addFeed({ url: 'https://talks.example/feed', title: 'Talks', entries })
  const put = async (id: number, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'PUT', headers, body: JSON.stringify(body) }
    const response = await fixture.app.request(`/api/v1/playback/${id}`, init)
    await fixture.clock.advance(MINUTE)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const list = async (query = '') =>
    (await (await fixture.app.request(`/api/v1/playback${query}`)).json()) as {
      playback: { entryId: number; positionSeconds: number; finished?: true; entry?: { title: string } }[]
      next?: string
    }
  const ids = async (query = '') => (await list(query)).playback.map(({ entryId }) => entryId)
  return { ...fixture, put, list, ids }
}

describe('a position', () => {
  test('is saved, replaced, and removed by position 0', async () => {
    const { put, list } = await filled()
    expect(await put(1, { positionSeconds: 61.5, durationSeconds: 3600 })).toMatchObject({
      status: 200,
      body: { entryId: 1, positionSeconds: 61.5, durationSeconds: 3600 },
    })
    await put(1, { positionSeconds: 90 })
    expect((await list()).playback).toMatchObject([{ entryId: 1, positionSeconds: 90 }])
    await put(1, { positionSeconds: 0 })
    expect((await list()).playback).toEqual([])
  })

  test.each([
    [3569, 3600, undefined],
    [3571, 3600, true],
    [56, 60, undefined],
    [58, 60, true],
  ])('of %i s in a recording of %i s: finished is %s', async (positionSeconds, durationSeconds, finished) => {
    const { put } = await filled()
    expect((await put(1, { positionSeconds, durationSeconds })).body.finished).toBe(finished)
  })

  test.each([{ positionSeconds: -1 }, { positionSeconds: 360_001 }, { positionSeconds: '7' }, {}])(
    'is rejected: %j',
    async (body) => expect((await (await filled()).put(1, body)).status).toBe(400),
  )

  test('of an entry that the user does not see is neither saved nor listed', async () => {
    const { ask, entries, store, users } = await createPrivacyHarness()
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"positionSeconds":5}' }
    expect((await ask('follower', `/api/v1/playback/${entries.secretmark}`, init)).status).toBe(200)
    for (const [actor, status] of [
      ['other', 404],
      ['reader', 403],
      ['corpus', 403],
      ['nobody', 401],
    ] as const)
      expect((await ask(actor, `/api/v1/playback/${entries.secretmark}`, init)).status, actor).toBe(status)
    const position = { key: String(entries.secretmark), value: { positionSeconds: 5 } }
    await store.putUserValues(users.other, 'playback', [position], 1)
    for (const query of ['', '?entries=true'])
      expect(JSON.parse((await ask('other', `/api/v1/playback${query}`)).text)).toEqual({ playback: [] })
  })
})

test('positions are listed by time, state and page, with their entries', async () => {
  const { put, list, ids } = await filled()
  await put(1, { positionSeconds: 10, durationSeconds: 100 })
  await put(2, { positionSeconds: 99, durationSeconds: 100 })
  await put(3, { positionSeconds: 30 })
  expect(await ids()).toEqual([3, 2, 1])
  expect(await ids('?state=started')).toEqual([3, 1])
  expect(await ids('?state=finished')).toEqual([2])
  const { playback, next } = await list('?limit=2&entries=true')
  expect(playback.map(({ entry }) => entry?.title)).toEqual(['Talk 3', 'Talk 2'])
  expect(await ids(`?limit=2&cursor=${next}`)).toEqual([1])
  expect((await list(`?limit=2&cursor=${next}`)).next).toBeUndefined()
})

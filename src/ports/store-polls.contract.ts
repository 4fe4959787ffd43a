/** Store contract: polls, the poll log, and everything a poll changes. */
import { expect } from 'vitest'
import { DAY, type FeedId, HOUR, type KnownEntry, type Poll, type PollResult, textHash } from '../model/index.ts'
import { expectCounts, feedById } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, failedRecord, newSchedule, POISON, record, START } from './store-samples.contract.ts'

export function pollPromises(promised: Promised): void {
  promised('writes the log line, entries, schedule and feed changes', async (store) => {
    const feedId = await addFeed(store, 'f')
    const full = draft('x', {
      url: 'https://f.example/x',
      title: 'Ein Titel \u{1f30a}',
      summary: '<p>short</p>',
      content: '<p>long</p>'.repeat(1000),
      author: 'Ada',
      publishedAt: START - 50,
      updatedAt: START - 40,
      dateOnly: true,
      dateFault: 'future',
      language: 'de',
      category: 'sports',
    })
    const schedule = newSchedule({ strategy: 'tide', memory: Uint8Array.of(1, 2), dueAt: START + 99, polledAt: START })
    const given = record(feedId, START, {
      schedule,
      feed: { title: 'new title', validators: { etag: '2' }, bodyHash: 'beef' },
      fresh: [full, draft('y')],
    })
    expect(await store.recordPolls([given])).toEqual(['recorded'])

    const scheduled = await feedById(store, feedId)
    expect(scheduled.schedule).toStrictEqual(schedule)
    expect(scheduled.feed).toMatchObject({ title: 'new title', validators: { etag: '2' }, bodyHash: 'beef' })
    expect(await store.polls({ limit: 9 })).toStrictEqual([given.poll])
    const entries = await all(store.everyEntry({}))
    expect(entries).toStrictEqual([
      { ...full, id: entries[0]!.id, feedId, seenAt: START },
      { ...draft('y'), id: entries[1]!.id, feedId, seenAt: START },
    ])
    await expectCounts(store, { feeds: { active: 1 }, entries: 2, polls: 1 })
  })

  promised('keeps the last twenty versions of an entry', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([
      record(feedId, START, { fresh: [draft('x', { url: 'https://f.example/1', title: '1' })] }),
    ])
    const [entry] = await store.entries({ limit: 1 })
    expect(await store.versions(entry!.id)).toEqual([])
    await store.recordPolls([record(feedId, START + 1, { changed: [draft('x', { title: '2' })] })])
    await store.recordPolls([record(feedId, START + 2, { changed: [draft('x', { title: '3' })] })])
    expect(await store.versions(entry!.id)).toStrictEqual([
      { title: '1', url: 'https://f.example/1', until: START + 1 },
      { title: '2', until: START + 2 },
    ])
    for (let n = 4; n <= 30; n++)
      await store.recordPolls([record(feedId, START + n, { changed: [draft('x', { title: `${n}` })] })])
    const versions = await store.versions(entry!.id)
    expect(versions).toHaveLength(20)
    expect(versions.at(-1)?.title).toBe('29')
    await store.removeFeed(feedId)
    expect(await store.versions(entry!.id)).toEqual([])
  })

  promised('keeps changed texts of an entry, truncated, for the last three versions', async (store) => {
    const feedId = await addFeed(store, 'f')
    const say = (title: string, at: number, texts: { content?: string; summary?: string }) =>
      store.recordPolls([
        record(feedId, START + at, { [at === 0 ? 'fresh' : 'changed']: [draft('x', { title, ...texts })] }),
      ])
    await say('1', 0, { summary: '<p>first</p>' })
    const [entry] = await store.entries({ limit: 1 })
    await say('2', 1, { summary: '<p>first</p>' })
    await say('3', 2, { content: `<p>${'x'.repeat(20_000)}</p>`, summary: 'short' })
    await say('4', 3, { summary: '<p>third</p>' })
    const texts = async () => (await store.versions(entry!.id)).map(({ title, body }) => [title, body?.length ?? body])
    expect(await texts()).toEqual([
      ['1', undefined],
      ['2', 12],
      ['3', 16_000],
    ])
    for (const n of [5, 6]) await say(`${n}`, n, { summary: `<p>${n}</p>` })
    expect(await texts()).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['3', 16_000],
      ['4', 12],
      ['5', 8],
    ])
  })

  promised('distinguishes rewritten texts from counters and times', async (store) => {
    const feedId = await addFeed(store, 'f')
    const summary = '<p>Mayor resigns. 3 comments, 2 hours ago</p>'
    await store.recordPolls([record(feedId, START, { fresh: [draft('x', { summary }), draft('y')] })])
    const ask = async () => {
      const [known] = await store.knownEntries([{ feedId, keys: ['x', 'y'] }])
      return ['x', 'y'].map((key) => known!.get(key) as Exclude<KnownEntry, 'forgotten'>)
    }
    const [x, y] = await ask()
    expect(x?.textHash).toBe(textHash({ summary: 'Mayor  resigns. <b>14</b> comments, just now' }))
    expect([x?.changedAt, y?.textHash]).toEqual([undefined, undefined])
    const changed = [draft('x', { summary: 'Mayor stays' })]
    await store.recordPolls([record(feedId, START + 1, { changed })])
    const [after] = await ask()
    expect(after).toMatchObject({ textHash: textHash(changed[0]!), changedAt: START + 1 })
    const [entry] = (await store.entries({ limit: 2 })).filter(({ key }) => key === 'x')
    expect(await store.versions(entry!.id)).toStrictEqual([{ title: entry!.title, body: summary, until: START + 1 }])
  })

  promised('counts the entries of each feed since an hour, with and without polls, each once', async (store) => {
    const [a, b, c] = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
    const from = Math.ceil(START / HOUR) * HOUR
    await store.recordPolls([
      record(a, from - 1, { fresh: [draft('w')] }),
      record(a, from, { fresh: [draft('x'), draft('w')] }),
      record(b, from, { fresh: [draft('x'), draft('y'), draft('y')], changed: [draft('x')] }),
    ])
    await store.recordEntries([{ feedId: a, at: from + 5 * HOUR, fresh: [draft('z')], changed: [] }])
    await store.forget('entries', from + 9 * HOUR, 9)
    expect(await store.countStoredSince([c, b, a], from)).toMatchObject([
      { entries: 0 },
      { entries: 2 },
      { entries: 2 },
    ])
    expect(await store.countStoredSince([a, a, a], from - HOUR)).toMatchObject([
      { entries: 3 },
      { entries: 3 },
      { entries: 3 },
    ])
    expect(await store.countStoredSince([a], from + 5 * HOUR)).toMatchObject([{ entries: 1 }])
    await store.recordPolls([record(a, from + 3 * DAY, { fresh: [draft('1')] })])
    expect(await store.countStoredSince([a], from - HOUR)).toMatchObject([{ entries: 1 }])
    await store.removeFeed(a)
    expect(await store.countStoredSince([a], 0)).toMatchObject([{ entries: 0 }])
  })

  promised('replaces the whole schedule', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([failedRecord(feedId, START)])
    expect((await feedById(store, feedId)).schedule.trouble).toBeDefined()
    const next = record(feedId, START + 1)
    await store.recordPolls([next])
    expect((await feedById(store, feedId)).schedule).toStrictEqual(next.schedule)
  })

  promised('writes a repeated record once', async (store) => {
    const feedId = await addFeed(store, 'f')
    const given = record(feedId, START, { fresh: [draft('x')] })
    expect(await store.recordPolls([given, given])).toEqual(['recorded', 'void'])
    const before = await feedById(store, feedId)
    const again = { ...given, fresh: [draft('z')], feed: { title: 'no' }, schedule: newSchedule({ dueAt: 1 }) }
    expect(await store.recordPolls([again])).toEqual(['void'])
    expect(await feedById(store, feedId)).toStrictEqual(before)
    await expectCounts(store, { feeds: { active: 1 }, entries: 1, polls: 1 })
  })

  promised('ignores records older than the last poll, or of feeds that are gone', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START)])
    const answers = await store.recordPolls([
      record(feedId, START - 1, { fresh: [draft('x')] }),
      record(999_999 as FeedId, START + 1, { fresh: [draft('x')] }),
      record(feedId, START + 2, { fresh: [draft('y')] }),
    ])
    expect(answers).toEqual(['void', 'void', 'recorded'])
    expect((await store.entries({ limit: 9 })).map((entry) => entry.key)).toEqual(['y'])
    await expectCounts(store, { feeds: { active: 1 }, entries: 1, polls: 2 })
  })

  promised('writes a record only under the current lease', async (store) => {
    const feedId = await addFeed(store, 'f')
    const take = async (now: number) => (await store.leaseDue(now, 1, now + 10)).feeds[0]!.lease
    const lost = await take(START)
    const lease = await take(START + 10)
    expect(lease).not.toBe(lost)
    const late = { ...record(feedId, START + 1, { fresh: [draft('x')] }), lease: lost }
    expect(await store.recordPolls([late])).toEqual(['void'])
    const polled = { ...record(feedId, START + 10, { fresh: [draft('y')] }), lease }
    expect(await store.recordPolls([polled, polled])).toEqual(['recorded', 'void'])
    expect(await store.leases()).toEqual([])
    expect(await store.recordPolls([{ ...record(feedId, START + 11), lease }])).toEqual(['void'])
    await expectCounts(store, { feeds: { active: 1 }, entries: 1, polls: 1 })
  })

  promised('reports records computed from outdated data as stale, and writes nothing', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [{ lease, revision } = { lease: undefined, revision: -1 }] = (await store.leaseDue(START, 1, START + 9)).feeds
    await store.changeFeed(feedId, {}, { strategy: 'fixed:3h' })
    const worked = { ...record(feedId, START, { fresh: [draft('x')] }), lease: lease!, revision }
    expect(await store.recordPolls([worked])).toEqual(['stale'])
    expect((await feedById(store, feedId)).schedule.strategy).toBe('fixed:3h')
    await expectCounts(store, { feeds: { active: 1 }, unpolled: 1 })
    const { revision: seen } = await feedById(store, feedId)
    expect(await store.recordPolls([{ ...worked, revision: seen }])).toEqual(['recorded'])
    expect((await feedById(store, feedId)).revision).not.toBe(seen)
  })

  promised('writes several polls of one feed in order', async (store) => {
    const feedId = await addFeed(store, 'f')
    const first = record(feedId, START, { fresh: [draft('x', { title: 'old' })] })
    const second = record(feedId, START + 1, { fresh: [draft('y')], changed: [draft('x', { title: 'new' })] })
    expect(await store.recordPolls([first, second])).toEqual(['recorded', 'recorded'])
    expect((await store.entries({ limit: 9 })).map((entry) => entry.title)).toEqual(['title of y', 'new'])
    expect((await feedById(store, feedId)).schedule.polledAt).toBe(START + 1)
    await expectCounts(store, { feeds: { active: 1 }, entries: 2, polls: 2 })
  })

  promised('writes all records of an array or none', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    const before = await store.feedsById([a, b])
    for (const poison of [{ fresh: POISON }, { changed: POISON }, { fresh: [draft('z'), POISON] }]) {
      const good = record(a, START, { fresh: [draft('x')], feed: { title: 'no' } })
      const bad = { ...record(b, START, { fresh: [draft('y')] }), ...poison }
      await expect(store.recordPolls([good, bad])).rejects.toThrow()
    }
    expect(await store.feedsById([a, b])).toStrictEqual(before)
    expect(await store.knownEntries([{ feedId: a, keys: ['x'] }])).toEqual([new Map()])
    expect(await store.polls({ limit: 9 })).toEqual([])
    await expectCounts(store, { feeds: { active: 2 }, unpolled: 2 })
    expect(await store.recordPolls([record(a, START, { fresh: [draft('x')] })])).toEqual(['recorded'])
  })

  promised('does not write a fresh entry twice, even if it was deleted', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('x'), draft('x', { title: 'twin' })] })])
    await store.recordPolls([record(feedId, START + 1, { fresh: [draft('x', { title: 'again' }), draft('y')] })])
    expect((await store.entries({ limit: 9 })).map((entry) => entry.title)).toEqual(['title of y', 'title of x'])
    await store.forget('entries', START + 1, 9)
    await store.recordPolls([record(feedId, START + 2, { fresh: [draft('x')] })])
    expect((await store.entries({ limit: 9 })).map((entry) => entry.key)).toEqual(['y'])
    await expectCounts(store, { feeds: { active: 1 }, entries: 1, polls: 3 })
  })

  promised('separates entries of different feeds with the same key', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    await store.recordPolls([record(a, START, { fresh: [draft('x')] }), record(b, START, { fresh: [draft('x')] })])
    await store.recordPolls([record(b, START + 1, { changed: [draft('x', { title: 'b only' })] })])
    const entries = await all(store.everyEntry({}))
    expect(entries.map((entry) => [entry.feedId, entry.title])).toEqual([
      [a, 'title of x'],
      [b, 'b only'],
    ])
  })

  promised('updates a changed entry under its id', async (store) => {
    const feedId = await addFeed(store, 'f')
    const old = draft('x', { summary: 'old', author: 'Ada', publishedAt: START - 9 })
    await store.recordPolls([record(feedId, START, { fresh: [old] })])
    const [before] = await all(store.everyEntry({}))
    const now = draft('x', { title: 'corrected', summary: 'new' })
    await store.recordPolls([record(feedId, START + 5, { changed: [now, draft('unknown')] })])
    expect(await all(store.everyEntry({}))).toStrictEqual([
      { ...now, id: before!.id, feedId, seenAt: START, changedAt: START + 5 },
    ])
    await store.forget('entries', START + 1, 9)
    await store.recordPolls([record(feedId, START + 6, { changed: [now] })])
    await expectCounts(store, { feeds: { active: 1 }, entries: 0, polls: 3 })
  })

  promised('logs all results of polls, and returns the newest first', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    const results: PollResult[] = [
      { kind: 'read', fresh: 3, changed: 1, window: 20, gap: true },
      { kind: 'not-modified', by: 'server' },
      { kind: 'not-modified', by: 'hash' },
      { kind: 'failed', failure: { kind: 'http', status: 503, retryAfterMs: 1000, detail: 'busy' } },
      { kind: 'failed', failure: { kind: 'timeout' } },
    ]
    const occasions: Pick<Poll, 'occasion'>[] = [
      {},
      { occasion: 'manual' },
      { occasion: 'older' },
      { occasion: 'moved-feed' },
      {},
    ]
    const polls = results.map((result, i) => ({
      feedId: a,
      at: START + i,
      tookMs: i,
      bytes: i * 1e9,
      conditional: true,
      ...occasions[i],
      result,
    }))
    for (const poll of polls) await store.recordPolls([{ ...record(a, poll.at), poll }])
    await store.recordPolls([record(b, START - 5)]) // sent earlier, arrived later
    expect(await store.polls({ feedId: a, limit: 9 })).toStrictEqual(polls.toReversed())
    expect((await store.polls({ limit: 9 })).map((poll) => poll.at - START)).toEqual([4, 3, 2, 1, 0, -5])
    expect((await store.polls({ limit: 2 })).map((poll) => poll.at - START)).toEqual([4, 3])
    expect((await store.polls({ after: { at: START + 1, skip: 1 }, limit: 9 })).map((poll) => poll.at - START)).toEqual(
      [0, -5],
    )
    expect(
      (await store.polls({ feedId: a, after: { at: START + 4, skip: 1 }, limit: 2 })).map((poll) => poll.at - START),
    ).toEqual([3, 2])
    expect((await store.polls({ since: START + 3, limit: 9 })).map((poll) => poll.at - START)).toEqual([4, 3])
    expect(await store.polls({ feedId: b, since: START, limit: 9 })).toEqual([])
  })

  promised('scans all polls, feed by feed, oldest first', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    await store.recordPolls([record(a, START + 10), record(b, START + 5), record(a, START + 20)])
    const ats = async (filter: Parameters<typeof store.everyPoll>[0]) =>
      (await all(store.everyPoll(filter))).map((poll) => poll.at - START)
    expect(await ats({})).toEqual([10, 20, 5])
    expect(await ats({ feedId: a })).toEqual([10, 20])
    expect(await ats({ since: START + 6 })).toEqual([10, 20])
    await store.recordPolls(Array.from({ length: 1100 }, (_, i) => record(b, START + 100 + i)))
    expect(await ats({ since: START + 100 })).toEqual(Array.from({ length: 1100 }, (_, i) => 100 + i))
    expect(await ats({ feedId: b })).toHaveLength(1101)
  })

  promised('deletes only old log lines, in batches', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    await store.recordPolls([record(a, START + 3), record(a, START + 4), record(b, START + 1), record(b, START + 5)])
    expect(await store.forget('polls', START + 5, 2)).toBe(2)
    expect((await all(store.everyPoll({}))).map((poll) => poll.at - START)).toEqual([4, 5])
    expect(await store.forget('polls', START + 5, 9)).toBe(1)
    expect(await store.forget('polls', START + 5, 9)).toBe(0)
    await expectCounts(store, { feeds: { active: 2 }, polls: 1 })
    expect((await feedById(store, a)).schedule.polledAt).toBe(START + 4)
    expect(await store.recordPolls([record(a, START + 4)])).toEqual(['void']) // its log is deleted, but not the date of the last poll
  })
}

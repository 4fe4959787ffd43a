import { expect } from 'vitest'
import { DAY, type EntryId, type UserId } from '../model/index.ts'
import { MAX_LABELS } from './entry-labels.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { twoReaders } from './store-read-state.contract.ts'
import { START } from './store-samples.contract.ts'

export function entryLabelPromises(promised: Promised): void {
  const keys = async (store: Store, who: UserId, query = {}) =>
    (await store.entriesFor(who, { limit: 9, ...query })).entries.map(({ key }) => key).join(' ')

  promised('labels entries by names that are unique ignoring case', async (store) => {
    const { ada, bob, ids } = await twoReaders(store)
    const [a1, a2, b1] = [ids.a1!, ids.a2!, ids.b1!]
    expect(await store.labelEntries(ada, [b1, a1, 9999 as EntryId, b1], { add: ['Ärger', 'sea'] }, START)).toEqual([
      b1,
      a1,
    ])
    expect(await store.labelEntries(ada, [a1, a2], { add: ['SEA'] }, START)).toEqual([a2])
    expect(await store.labelsOf(ada)).toEqual([
      { name: 'sea', entries: 3 },
      { name: 'Ärger', entries: 2 },
    ])
    expect(await store.labelsOf(bob)).toEqual([])
    expect(await store.entryStates(ada, [a1, a2])).toEqual([
      { read: false, starred: false, labels: ['sea', 'Ärger'] },
      { read: false, starred: false, labels: ['sea'] },
    ])
    expect(await store.entryStates(bob, [a1])).toEqual([{ read: false, starred: false }])
    expect(await store.labelEntries(ada, [a1, a2], { add: ['new'], remove: ['ärger', 'none'] }, START)).toEqual([
      a1,
      a2,
    ])
    expect(await store.labelEntries(ada, [a1], { remove: ['ärger'] }, START)).toEqual([])
    expect(await store.labelEntries(9999 as UserId, [a1], { add: ['x'] }, START)).toEqual([])
    expect((await store.labelsOf(ada)).map(({ name, entries }) => `${name} ${entries}`)).toEqual([
      'new 2',
      'sea 3',
      'Ärger 1',
    ])
  })

  promised('lists the entries with a label, also of feeds that are not followed', async (store) => {
    const { ada, bob, a, b, ids } = await twoReaders(store)
    await store.labelEntries(ada, [ids.a1!, ids.a4!, ids.b2!], { add: ['Sea'] }, START)
    expect(await keys(store, ada, { label: 'SEA' })).toBe('b2 a1 a4')
    expect(await keys(store, ada, { label: 'sea', oldestFirst: true })).toBe('a4 a1 b2')
    expect(await keys(store, ada, { label: 'sea', feedIds: [b] })).toBe('b2')
    expect(await keys(store, ada, { label: 'sea', since: START })).toBe('b2 a1')
    expect(await keys(store, ada, { label: 'other' })).toBe('')
    expect(await keys(store, bob, { label: 'sea' })).toBe('')
    await store.starEntries(ada, [ids.a1!, ids.a2!], true, START)
    expect(await keys(store, ada, { label: 'sea', starred: true })).toBe('a1')
    await store.unfollow(ada, [{ feedId: a }])
    expect(await keys(store, ada, { label: 'sea' })).toBe('b2 a1 a4')
    expect(await keys(store, ada, { label: 'sea', read: false })).toBe('b2')
    const { arrivals } = await store.arrivalsFor(ada, { label: 'sea', order: 'newest', limit: 9 })
    expect(arrivals.map(({ id }) => id)).toEqual([ids.b2, ids.a4, ids.a1])
  })

  promised('renames and removes labels', async (store) => {
    const { ada, bob, ids } = await twoReaders(store)
    await store.labelEntries(ada, [ids.a1!], { add: ['Sea', 'Land'] }, START)
    await store.labelEntries(bob, [ids.a1!], { add: ['Sea'] }, START)
    expect(await store.renameLabel(ada, 'sea', 'land')).toBe('taken')
    expect(await store.renameLabel(ada, 'air', 'land')).toBe('unknown')
    expect(await store.renameLabel(ada, 'sea', 'SEA')).toBe('done')
    expect(await store.renameLabel(ada, 'land', 'Shore')).toBe('done')
    expect(await store.entryStates(ada, [ids.a1!])).toMatchObject([{ labels: ['SEA', 'Shore'] }])
    expect(await store.renameLabel(ada, 'sea', null)).toBe('done')
    expect(await store.renameLabel(ada, 'sea', null)).toBe('unknown')
    expect(await store.entryStates(ada, [ids.a1!])).toMatchObject([{ labels: ['Shore'] }])
    expect(await store.labelsOf(bob)).toEqual([{ name: 'Sea', entries: 1 }])
  })

  promised('has at most 500 labels per user', async (store) => {
    const { ada, ids } = await twoReaders(store)
    const add = Array.from({ length: MAX_LABELS }, (_, i) => `l${i}`)
    expect(await store.labelEntries(ada, [ids.a1!], { add }, START)).toEqual([ids.a1])
    expect(await store.labelEntries(ada, [ids.a2!], { add: ['L7', 'more'] }, START)).toBe('too-many-labels')
    expect(await store.labelEntries(ada, [ids.a2!], { add: ['L7'] }, START)).toEqual([ids.a2])
    expect(await store.labelsOf(ada)).toHaveLength(MAX_LABELS)
  })

  promised('mutes entries: they are read, and in no list unless asked for', async (store) => {
    const { ada, bob, a, ids } = await twoReaders(store)
    expect(await store.hasMuted(ada)).toBe(false)
    expect(await store.muteEntries(ada, [ids.b1!, ids.a3!, 9999 as EntryId], true, START)).toEqual([ids.b1, ids.a3])
    expect(await store.muteEntries(ada, [ids.a3!], true, START)).toEqual([])
    expect(await store.hasMuted(ada)).toBe(true)
    expect(await keys(store, ada)).toBe('b2 a2 a1 a4')
    expect(await keys(store, ada, { feedIds: [a] })).toBe('a2 a1 a4')
    expect(await keys(store, ada, { muted: true })).toBe('a3 b1')
    expect(await keys(store, bob)).toBe('b2 a3 b1 a2 a1 a4')
    const { arrivals } = await store.arrivalsFor(ada, { order: 'oldest', limit: 9 })
    expect(arrivals.map(({ id }) => id)).toEqual([ids.a1, ids.a2, ids.a4, ids.b2])
    expect(await store.readerCounts(ada)).toMatchObject({ unread: 4 })
    await store.labelEntries(ada, [ids.a3!], { add: ['x'] }, START)
    expect(await keys(store, ada, { label: 'x' })).toBe('')
    expect(await keys(store, ada, { label: 'x', muted: true })).toBe('a3')
    expect(await store.entryStates(ada, [ids.a3!])).toEqual([
      { read: true, starred: false, labels: ['x'], muted: true },
    ])
    expect(await store.muteEntries(ada, [ids.a3!, ids.a1!], false, START)).toEqual([ids.a3])
    expect(await keys(store, ada, { read: true })).toBe('a3')
  })

  promised('keeps muted entries read after changes of read state are undone', async (store) => {
    const { ada, a, ids } = await twoReaders(store)
    const [a1, a2, a3] = [ids.a1!, ids.a2!, ids.a3!]
    const marked = await store.markEntries(ada, [a1], 'read', START)
    await store.muteEntries(ada, [a1], true, START)
    expect(await store.undoChange(ada, marked.change)).toBe(0)
    const all = await store.markAllRead(ada, { feedIds: [a] })
    await store.muteEntries(ada, [a2], true, START)
    expect(await store.undoChange(ada, all.change)).toBe(2)
    const dated = await store.markAllRead(ada, { feedIds: [a] }, { datedBefore: START + 9 * DAY })
    await store.muteEntries(ada, [a3], true, START)
    expect(await store.undoChange(ada, dated.change)).toBe(1)
    expect((await store.entryStates(ada, [a1, a2, a3])).map(({ read }) => read)).toEqual([true, true, true])
    expect(await store.readerCounts(ada)).toMatchObject({ unread: 3 })
    expect(await keys(store, ada, { read: false })).toBe('b2 b1 a4')
  })

  promised('keeps muted entries read if they are marked as unread, or their feed is followed again', async (store) => {
    const { ada, a, b, ids } = await twoReaders(store)
    await store.muteEntries(ada, [ids.a1!], true, START)
    expect((await store.markEntries(ada, [ids.a1!], 'unread', START)).changed).toEqual([])
    await store.unfollow(ada, [{ feedId: a }])
    await store.muteEntries(ada, [ids.a4!], true, START)
    await store.follow(ada, [{ feedId: a }], START, 9)
    expect((await store.subscriptionsTo(ada, [a, b])).map((one) => one?.unread)).toEqual([2, 2])
    expect(await keys(store, ada, { read: false, feedIds: [a] })).toBe('a3 a2')
    await store.muteEntries(ada, [ids.a1!], false, START)
    expect((await store.markEntries(ada, [ids.a1!], 'unread', START)).changed).toEqual([ids.a1])
  })

  promised('keeps labeled entries, and deletes muted ones and those of removed feeds', async (store) => {
    const { ada, a, b, ids } = await twoReaders(store)
    await store.labelEntries(ada, [ids.a1!, ids.b1!], { add: ['x'] }, START)
    await store.muteEntries(ada, [ids.a2!], true, START)
    expect(await store.forget('entries', START + 3 * DAY, 9)).toBe(1)
    expect(await store.hasMuted(ada)).toBe(false)
    expect(await keys(store, ada, { label: 'x' })).toBe('b1 a1')
    await store.removeFeed(a)
    while ((await store.sweepRemoved(9)) > 0);
    expect(await store.labelsOf(ada)).toEqual([{ name: 'x', entries: 1 }])
    await store.removeUser(ada)
    while ((await store.sweepRemoved(9)) > 0);
    expect(await store.labelsOf(ada)).toEqual([])
    expect(await store.forget('entries', START + 9 * DAY, 9)).toBe(2)
    expect(b).toBeGreaterThan(0)
  })
}

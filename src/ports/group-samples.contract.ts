/** Sample groups for the store contract. */
import { expect } from 'vitest'
import {
  type EntryId,
  type FeedId,
  type Group,
  type GroupLevel,
  type Instant,
  MAX_VOTERS,
  type Member,
} from '../model/index.ts'
import type { GroupedEntry, GroupJoin, Store } from './index.ts'
import { all, draft, record, START } from './store-samples.contract.ts'

/** Adds entries to a feed and returns their ids. */
export async function say(store: Store, feedId: FeedId, ...keys: string[]): Promise<SixIds> {
  const before = (await all(store.everyEntry({}))).length
  await store.recordPolls([record(feedId, START + before, { fresh: keys.map((key) => draft(key)) })])
  return (await all(store.everyEntry({}))).slice(before).map(({ id }) => id) as SixIds
}

/** No test asks for more than it said. */
type SixIds = [EntryId, EntryId, EntryId, EntryId, EntryId, EntryId, ...EntryId[]]

/** A grouped entry; dates follow the order of ids. */
export function placed(id: EntryId, joins: GroupedEntry['joins'] = {}, more: Partial<GroupedEntry> = {}): GroupedEntry {
  return {
    id,
    at: publishedAtOf(id),
    comparedBy: 'entry',
    signature: sampleSignature(id),
    simhash: BigInt(id),
    joins,
    ...more,
  }
}

export function joined(...ids: EntryId[]): GroupJoin {
  return { with: ids, likeness: 0.9, reason: 'same text' }
}

export function both(id: EntryId): GroupedEntry['joins'] {
  return { copy: joined(id), story: joined(id) }
}

/** Opaque to stores. */
export function sampleSignature(id: EntryId): Uint8Array {
  return Uint8Array.of(1, 2, 255, id)
}

export async function waiting(store: Store): Promise<EntryId[]> {
  return (await store.ungrouped(99)).changes.map(({ id }) => id)
}

export async function idsIn(store: Store, id: EntryId, level: GroupLevel = 'copy'): Promise<EntryId[]> {
  const [group] = await store.groupsOfEntries([id], level)
  return (await store.members(group!.id, 99)).map(({ entryId }: Member) => entryId)
}

/** Expects that the counts of a group match its members, and that one of them is the primary. */
export async function soundGroupOf(store: Store, id: EntryId): Promise<Group> {
  const [group] = await store.groupsOfEntries([id], 'copy')
  const members = await store.members(group!.id, 9999)
  expect(group?.size).toBe(members.length)
  const summed = members.slice(0, MAX_VOTERS)
  expect(group?.distanceSum).toBe(summed.reduce((sum, { distance }) => sum + distance, 0))
  expect(members.find(({ entryId }) => entryId === group?.primaryId)?.distance).toBe(0)
  return group!
}

export const span = (first: EntryId, last: EntryId) => ({ firstAt: publishedAtOf(first), lastAt: publishedAtOf(last) })

/** Some milliseconds after START, in the order of ids, which may be large. */
export function publishedAtOf(id: EntryId): Instant {
  return START + (id % 1_000_000)
}

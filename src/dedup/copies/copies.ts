/**
 * Groups copies. Each item is signed, looked up, put into the ring and joined with what it copies. Time and memory do not
 * grow with the number of copies of one text.
 */
import type { Instant } from '../../model/index.ts'
import { createMerges } from '../groups/merges.ts'
import { byTime, distanceSum, type Fingerprint, fingerprintOf } from '../groups/primary.ts'
import type { CopyIndex, CopyIndexOptions, IndexGroup, Item, KnownItem, Placement } from '../item.ts'
import { createLargeMap } from '../large-map.ts'
import { indexWordsOf } from '../sign/index-words.ts'
import { minhash } from '../sign/minhash.ts'
import { plainSignature, type Signature, signature } from '../sign/signature.ts'
import { createCopyFinder } from './copy-finder.ts'
import { createCopyGroups } from './copy-groups.ts'
import type { RingItem } from './copy-records.ts'
import { createCopyRing } from './copy-ring.ts'

export function createCopyGrouping(options: Required<CopyIndexOptions>): CopyIndex {
  const ring = createCopyRing(options.capacity)
  const groups = createCopyGroups(ring)
  const finder = createCopyFinder(ring, groups, options)
  const sign = options.mode === 'simhash' ? plainSignature : signature

  /** The number of the most recently restored member by group; needed only until an item is added. */
  let restored = createLargeMap<number>()

  function place(item: Item): Placement {
    if (restored.size > 0) restored = createLargeMap()
    const signed = ringItem(item.id, item.at, item.signature ?? sign(item))
    const { copies, evidence } = finder.find(signed)
    const number = remember(signed)
    const joined = copies.map(ring.idOf)
    const merged = copies.length > 0 ? groups.join(number, copies).merged : []
    return { id: item.id, ...standing(number), evidence, joined, merged }
  }

  function remember(item: RingItem): number {
    const overwritten = ring.nextToGo()
    if (overwritten) groups.forget(overwritten)
    return ring.put(item)
  }

  function standing(number: number): Pick<Placement, 'group' | 'primary' | 'distance' | 'size'> {
    const group = ring.groupOf(number)
    if (!group) return { group: ring.idOf(number), primary: ring.idOf(number), distance: 0, size: 1 }
    const primary = groups.primaryOf(group)
    const distance = ring.distanceTo(number, ring.fingerprintOf(primary))
    return { group: groups.idOf(group), primary: ring.idOf(primary), distance, size: groups.sizeOf(group) }
  }

  /** Later items of a batch may move earlier ones or change their primary, so all placements are read again at the end. */
  function addAll(items: readonly Item[]): Placement[] {
    const placed = new Map<Item, { placement: Placement; number: number; fingerprint: Fingerprint }>()
    const merges = createMerges()
    for (const item of [...items].sort(byTime)) {
      const placement = place(item)
      merges.record(placement)
      placed.set(item, { placement, number: ring.newest, fingerprint: ring.fingerprintOf(ring.newest) })
    }
    const placements: Placement[] = []
    for (const item of items) {
      const { placement, number, fingerprint } = placed.get(item)!
      const now = ring.contains(number)
        ? standing(number)
        : standingOfForgotten(merges.currentId(placement.group), fingerprint)
      placements.push({ ...placement, ...now })
    }
    return placements
  }

  /** For an item that was overwritten: its group may have other members. */
  function standingOfForgotten(id: number, fingerprint: Fingerprint): Partial<Placement> {
    const group = groups.withId(id)
    if (!group) return { group: id }
    const primary = groups.primaryOf(group)
    const distance = ring.distanceTo(primary, fingerprint)
    return { group: id, primary: ring.idOf(primary), distance, size: groups.sizeOf(group) }
  }

  function restore(items: Iterable<KnownItem>): void {
    for (const { id, at, signature, group } of items) {
      const number = remember(ringItem(id, at, signature))
      const member = restored.get(group) ?? 0
      restored.set(group, number)
      if (ring.contains(member)) groups.follow(number, member)
      else if (group !== id) groups.found(group, number)
    }
  }

  function forget(ids: Iterable<number>): void {
    const wanted = new Set(ids)
    if (wanted.size === 0) return
    for (const number of ring.numbersOf(wanted)) {
      groups.forget(number)
      ring.drop(number)
    }
  }

  function groupWithId(id: number): IndexGroup | undefined {
    const group = groups.withId(id)
    if (!group) return undefined
    const primary = groups.primaryOf(group)
    const fingerprint = ring.fingerprintOf(primary)
    const numbers = groups.membersOf(group).reverse()
    const sum = distanceSum(fingerprint, numbers.map(ring.fingerprintOf))
    const members = numbers.map((number) => {
      return { id: ring.idOf(number), at: ring.atOf(number), distance: ring.distanceTo(number, fingerprint) }
    })
    return { id, primary: ring.idOf(primary), distanceSum: sum, members }
  }

  return {
    add: place,
    addAll,
    restore,
    forget,
    group: groupWithId,
    get compared() {
      return finder.compared
    },
    get size() {
      return ring.size
    },
    get bytes() {
      return ring.bytes + groups.bytes
    },
  }
}

function ringItem(id: number, at: Instant, signature: Signature): RingItem {
  const skeleton = indexWordsOf(signature)
  return { id, at, ...fingerprintOf(signature.simhash), skeleton, keys: minhash(skeleton) }
}

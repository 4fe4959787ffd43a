import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EntryId, GROUP_LEVELS, type GroupId, type GroupLevel } from '../../model/index.ts'
import {
  type GroupChanges,
  type GroupedText,
  type MembershipChange,
  type NewEntry,
  type NewMembership,
  namedBy,
  type StoredGroup,
  updateGroups,
} from './membership.ts'

const e = (id: number) => id as EntryId
const texts = (id: number): GroupedText => ({ at: id, comparedBy: 'entry', high: 0, low: id })

function comes(id: number, copies: number[] = [], stories: number[] = []): NewEntry {
  const join = (ids: number[]) => ({ with: ids.map(e), likeness: 1, reason: 'same text' })
  return {
    id: e(id),
    at: id,
    comparedBy: 'entry',
    simhash: BigInt(id),
    joins: { copy: join(copies), story: join(stories) },
  }
}

/** As small as a store can be: it loads the neighborhood, and writes what it is told. */
function createTable() {
  const memberships: Record<GroupLevel, Map<EntryId, NewMembership>> = { copy: new Map(), story: new Map() }
  const placed = new Map<EntryId, GroupedText>()
  let groups = new Map<GroupId, StoredGroup>()
  let lastGroupId = 0

  function closure(ids: Iterable<GroupId>): StoredGroup[] {
    const wanted = new Set(ids)
    for (const id of wanted) {
      const { intoId } = groups.get(id)!
      if (intoId !== undefined) wanted.add(intoId)
      for (const other of groups.values()) if (other.intoId === id) wanted.add(other.id)
    }
    return [...wanted].map((id) => groups.get(id)!)
  }

  function write({ founded, left, taken, entered, groups: after }: GroupChanges): void {
    for (const { id } of founded) lastGroupId = id
    for (const { entryId, level } of left) memberships[level].delete(entryId)
    for (const { fromId, intoId, level, count } of taken) {
      const inTime = [...memberships[level].values()]
        .filter(({ groupId }) => groupId === fromId)
        .sort((a, b) => a.at - b.at)
      for (const one of inTime.slice(0, count)) memberships[level].set(one.entryId, { ...one, groupId: intoId })
    }
    for (const membership of entered) memberships[membership.level].set(membership.entryId, membership)
    groups = new Map([...groups, ...after.map((one) => [one.id, one] as const)])
    for (const { id, size, level } of after) {
      if (size > 1) continue
      groups.delete(id)
      for (const { entryId, groupId } of [...memberships[level].values()])
        if (groupId === id) memberships[level].delete(entryId)
    }
  }

  function change(what: Omit<MembershipChange, 'at'>): GroupChanges {
    const { come = [], go = [] } = what
    const near = GROUP_LEVELS.flatMap((level) => {
      return [...namedBy(come, level), ...go].flatMap((id) => memberships[level].get(id) ?? [])
    })
    const around = {
      memberships: near,
      texts: placed,
      groups: closure(near.map(({ groupId }) => groupId)),
      lastGroupId,
    }
    const changes = updateGroups(around, { ...what, at: 7 })
    for (const { id } of come) placed.set(id, texts(id))
    for (const id of go) placed.delete(id)
    write(changes)
    return changes
  }

  /** How many went over. */
  function goOver(most: number): number {
    const first = [...groups.values()].find(({ intoId }) => intoId !== undefined)
    if (!first) return 0
    const changes = updateGroups(
      { memberships: [], texts: placed, groups: closure([first.id]), lastGroupId },
      { at: 7, most },
    )
    write(changes)
    return changes.taken.reduce((sum, { count }) => sum + count, 0)
  }

  return {
    change,
    goOver,
    /** Who sits with whom. */
    tables(level: GroupLevel = 'copy'): number[][] {
      const byGroup = Map.groupBy(memberships[level].values(), ({ groupId }) => groupId)
      return [...byGroup.values()]
        .map((some) => some.map(({ entryId }) => entryId as number).sort((a, b) => a - b))
        .sort(byFirst)
    },
    expectSound(): void {
      for (const level of GROUP_LEVELS) {
        const counted = Map.groupBy(memberships[level].values(), ({ groupId }) => groupId)
        const sizes = [...groups.values()].filter((group) => group.level === level)
        expect(sizes.map(({ id, size }) => [id, size]).sort()).toEqual(
          [...counted].map(([id, all]) => [id, all.length]).sort(),
        )
        expect(sizes.every(({ size }) => size > 1)).toBe(true)
        expect(sizes.every(({ intoId }) => intoId === undefined || groups.has(intoId))).toBe(true)
      }
    },
  }
}

const byFirst = (a: number[], b: number[]) => a[0]! - b[0]!

/** The same, without groups, chunks or ids: joined items are together at once. */
function createReference() {
  let tables: Set<number>[] = []
  const placed = new Set<number>()
  const leave = (id: number) => {
    for (const table of tables) table.delete(id)
  }
  return {
    come(id: number, others: number[]) {
      placed.add(id)
      const wanted = others.filter((other) => other !== id && placed.has(other))
      const joined = tables.filter((table) => wanted.some((other) => table.has(other)))
      leave(id)
      if (wanted.length === 0) return
      tables = tables.filter((table) => !joined.includes(table))
      tables.push(new Set([id, ...wanted, ...joined.flatMap((table) => [...table])]))
    },
    go(id: number) {
      leave(id)
      placed.delete(id)
    },
    /** A table of one is none. */
    end() {
      tables = tables.filter(({ size }) => size > 1)
    },
    tables: () => tables.map((table) => [...table].sort((a, b) => a - b)).sort(byFirst),
  }
}

describe('a new entry', () => {
  test('stays alone if nothing is similar, and founds a group with a similar one', () => {
    const { change, tables } = createTable()
    expect(change({ come: [comes(1), comes(2)], most: 9 }).groups).toEqual([])
    const { founded, entered, moves } = change({ come: [comes(3, [1])], most: 9 })
    expect(founded).toEqual([{ id: 1, level: 'copy' }])
    expect(entered).toEqual([
      { entryId: 1, level: 'copy', groupId: 1, ...texts(1) },
      { entryId: 3, level: 'copy', groupId: 1, ...texts(3), likeness: 1, reason: 'same text' },
    ])
    expect(moves).toEqual([])
    expect(tables()).toEqual([[1, 3]])
  })

  test('in a story, the earliest report is a member for the same reason', () => {
    const { change } = createTable()
    const { entered } = change({ come: [comes(1), comes(2, [], [1])], most: 9 })
    const why = { likeness: 1, reason: 'same text' }
    expect(entered).toMatchObject([
      { entryId: 1, level: 'story', likeId: 2, ...why },
      { entryId: 2, level: 'story', ...why },
    ])
  })

  test('reports how it moved only if it had a position before', () => {
    const { change } = createTable()
    change({ come: [comes(1), comes(2, [1]), comes(3), comes(4, [3])], most: 9 })
    const move = { level: 'copy', at: 7, comparedBy: 'entry' }
    expect(change({ come: [comes(2, [3])], most: 9 }).moves).toEqual([{ ...move, entryId: 2, from: 1, to: 2 }])
    expect(change({ come: [comes(2, [4])], most: 9 }).moves).toEqual([])
    expect(change({ come: [comes(2)], most: 9 }).moves).toEqual([{ ...move, entryId: 2, from: 2 }])
    expect(change({ come: [comes(1, [2])], most: 9 }).moves).toEqual([{ ...move, entryId: 1, to: 3 }])
  })

  test.each([
    { name: 'the largest takes in the others', first: [1, 2], second: [3, 4, 5], keeps: 2 },
    { name: 'of equals the oldest does', first: [1, 2], second: [3, 4], keeps: 1 },
  ])('who is like the members of two groups makes them one: $name', ({ first, second, keeps }) => {
    const { change, tables } = createTable()
    for (const [head, ...rest] of [first, second]) {
      change({ come: [comes(head!), ...rest.map((id) => comes(id, [head!]))], most: 9 })
    }
    const { taken, groups } = change({ come: [comes(9, [1, 3])], most: 9 })
    const gone = 3 - keeps
    expect(taken).toEqual([{ fromId: gone, intoId: keeps, level: 'copy', count: 2 }])
    expect(groups.find(({ id }) => id === gone)).toMatchObject({ size: 0 })
    expect(tables()).toEqual([[...first, ...second, 9]])
  })
})

describe('a large group that merges into another', () => {
  const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
  function united(most: number) {
    const table = createTable()
    for (const head of [100, 200]) {
      table.change({ come: range(head, 20).map((id) => comes(id, id === head ? [] : [head])), most })
    }
    return { ...table, changes: table.change({ come: [comes(300, [100, 219])], most }) }
  }

  test('moves in chunks, earliest first, and stays a group meanwhile', () => {
    const { changes, tables, goOver, expectSound } = united(5)
    expect(changes.taken).toEqual([{ fromId: 2, intoId: 1, level: 'copy', count: 5 }])
    expect(tables()).toEqual([[...range(100, 20), ...range(200, 5), 300], range(205, 15)])
    expectSound()
    expect(goOver(5)).toBe(5)
    expect([goOver(8), goOver(8)]).toEqual([8, 2])
    expect(tables()).toEqual([[...range(100, 20), ...range(200, 20), 300]])
    expectSound()
  })

  test('leaves no member behind alone', () => {
    const { goOver } = united(5)
    expect([goOver(14), goOver(14)]).toEqual([15, 0])
  })

  test('counts as the other group for entries that join it or move between both', () => {
    const { change, tables } = united(5)
    const { entered, moves } = change({ come: [comes(301, [219]), comes(218, [100])], most: 0 })
    expect(entered.map(({ entryId, groupId }) => [entryId, groupId])).toEqual([
      [301, 1],
      [218, 1],
    ])
    expect(moves).toEqual([])
    expect(tables()).toHaveLength(2)
  })

  test('keeps its connection if nearly all common members leave', () => {
    const { change, tables, goOver, expectSound } = united(5)
    change({ go: [...range(100, 20), ...range(200, 5)].map(e), most: 0 })
    expectSound()
    while (goOver(5) > 0) expectSound()
    expect(tables()).toEqual([[...range(205, 15), 300]])
  })
})

const id = fc.integer({ min: 1, max: 12 })
const ids = fc.array(id, { maxLength: 3 })
const doing = fc.record({ come: fc.array(fc.tuple(id, ids, ids), { maxLength: 5 }), go: ids, most: fc.nat(4) })

test('connected entries end up in the same group, whatever the order and chunk size', () => {
  const property = fc.property(fc.array(doing, { maxLength: 30 }), (deeds) => {
    const table = createTable()
    const references = { copy: createReference(), story: createReference() }
    for (const { come, go, most } of deeds) {
      const gone = [...new Set(go)]
      table.change({ go: gone.map(e), most })
      table.change({ come: come.map(([id, copies, stories]) => comes(id, copies, stories)), most })
      for (const level of GROUP_LEVELS) {
        for (const id of gone) references[level].go(id)
        references[level].end()
        for (const [id, copies, stories] of come) references[level].come(id, level === 'copy' ? copies : stories)
        references[level].end()
      }
      table.expectSound()
    }
    while (table.goOver(1) > 0) table.expectSound()
    for (const level of GROUP_LEVELS) expect(table.tables(level)).toEqual(references[level].tables())
  })
  fc.assert(property, { numRuns: 500 })
})

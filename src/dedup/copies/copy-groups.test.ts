/** What a group costs, counted in steps and in links that are followed. */
import { expect, test } from 'vitest'
import { MINHASHES, NO_KEY } from '../sign/minhash.ts'
import { createCopyGroups } from './copy-groups.ts'
import { createCopyRing } from './copy-ring.ts'

const MANY = 5000
const skeleton = { words: new Uint16Array(0), titleWords: 0, unspaced: false }
const keys = new Uint32Array(MINHASHES).fill(NO_KEY)

function openGroups() {
  let links = 0
  let id = 0
  const ring = createCopyRing(4 * MANY)
  const memberBefore = (number: number) => {
    links++
    return ring.memberBefore(number)
  }
  const groups = createCopyGroups({ ...ring, memberBefore })
  const put = () => ring.put({ id: ++id, at: id, high: 0, low: 0, skeleton, keys })
  const join = (number: number, ...others: number[]) => groups.join(number, others).group
  const linksOf = (work: () => unknown) => {
    const before = links
    work()
    return links - before
  }
  return { ring, groups, put, join, linksOf }
}

test('merges two large groups, with members in order', () => {
  const { groups, put, join } = openGroups()
  const [a, b] = [put(), put()]
  for (let i = 1; i < MANY; i++) {
    join(put(), a)
    join(put(), b)
  }
  const last = put()
  const group = groups.join(last, [a, b])
  expect(groups.sizeOf(group.group)).toBe(2 * MANY + 1)
  expect(groups.membersOf(group.group)).toEqual(Array.from({ length: 2 * MANY + 1 }, (_, i) => last - i))
})

test('skips dropped members once', () => {
  const { ring, groups, put, join, linksOf } = openGroups()
  const first = put()
  const others = Array.from({ length: MANY }, put)
  for (const one of others) join(one, first)
  for (const one of others.slice(3)) {
    groups.forget(one)
    ring.drop(one)
  }
  const group = ring.groupOf(first)
  const left = [...others.slice(0, 3).reverse(), first]
  expect(linksOf(() => expect(groups.membersOf(group)).toEqual(left))).toBeGreaterThan(MANY)
  expect(linksOf(() => expect(groups.membersOf(group)).toEqual(left))).toBeLessThanOrEqual(4)
  const newest = put()
  expect(linksOf(() => join(newest, first))).toBeLessThan(10)
  expect(groups.membersOf(group)).toEqual([newest, ...left])
})

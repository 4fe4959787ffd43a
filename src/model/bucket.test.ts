import { describe, expect, it } from 'vitest'
import { allBuckets, BUCKETS, bucketOf, ownerOf } from './bucket.ts'

describe('buckets', () => {
  it('never change for a root', () => {
    expect(['example.org', 'bbc.co.uk', 'github.io', ''].map(bucketOf)).toEqual([7, 129, 18, 119])
  })

  it('are evenly filled', () => {
    const counts = new Uint32Array(BUCKETS)
    for (let n = 0; n < 100_000; n++) counts[bucketOf(`site-${n}.example`)]!++
    expect(Math.min(...counts)).toBeGreaterThan(100_000 / BUCKETS / 1.5)
    expect(Math.max(...counts)).toBeLessThan((100_000 / BUCKETS) * 1.5)
  })

  it('are distributed over all owners, and move only to an owner that joins or from one that leaves', () => {
    const of = (...owners: string[]) => allBuckets().map((bucket) => ownerOf(bucket, owners))
    const [two, three] = [of('ada', 'bob'), of('cleo', 'bob', 'ada')]
    for (const [bucket, owner] of three.entries()) if (owner !== 'cleo') expect(owner).toBe(two[bucket])
    for (const name of ['ada', 'bob', 'cleo']) {
      const share = three.filter((owner) => owner === name).length
      expect(share).toBeGreaterThan(50)
      expect(share).toBeLessThan(120)
    }
    expect(of()).toEqual(allBuckets().map(() => undefined))
  })
})

/** Bucket ownership. Claims run one at a time, under a lock, so no bucket has two owners. */
import { type Bucket, ownerOf } from '../../model/index.ts'
import type { Ownership } from '../../ports/index.ts'
import { manyRows } from './columns.ts'
import type { PostgresSession } from './session.ts'

interface BucketRow {
  bucket: Bucket
  owner: string | null
  epoch: number
}

const RELEASE = 'UPDATE buckets SET owner = NULL WHERE owner = $1'

export function ownershipMethods(session: PostgresSession): Ownership {
  return {
    claim(owner, now, until) {
      return session.write(async (tx) => {
        await tx.run('LOCK TABLE owners IN SHARE ROW EXCLUSIVE MODE')
        await tx.run('DELETE FROM owners WHERE until <= $1 AND name <> $2', [now, owner])
        await tx.run(
          'INSERT INTO owners (name, until) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET until = excluded.until',
          [owner, until],
        )
        const names = (await tx.rows<{ name: string }>('SELECT name FROM owners')).map(({ name }) => name)
        const rows = await tx.rows<BucketRow>('SELECT bucket, owner, epoch FROM buckets ORDER BY bucket')
        const living = new Set(names)
        const owned = new Map<Bucket, number>()
        const surplus: Bucket[] = []
        const claimed: [Bucket, number][] = []
        for (const { bucket, owner: holder, epoch } of rows) {
          const isOwned = holder === owner
          const isFree = holder === null || !living.has(holder)
          const isAssigned = ownerOf(bucket, names) === owner
          if (isOwned && !isAssigned) surplus.push(bucket)
          if (isOwned) owned.set(bucket, epoch)
          else if (isFree && isAssigned) {
            owned.set(bucket, epoch + 1)
            claimed.push([bucket, epoch + 1])
          }
        }
        if (claimed.length > 0) {
          const { sql, values } = manyRows('t', ['bucket smallint', 'epoch bigint'], claimed, 2)
          await tx.run(`UPDATE buckets b SET owner = $1, epoch = t.epoch FROM ${sql} WHERE b.bucket = t.bucket`, [
            owner,
            ...values,
          ])
        }
        return { owned, surplus }
      })
    },

    releaseBuckets(owner, buckets) {
      return session.write(async (tx) => {
        if (buckets) await tx.run(`${RELEASE} AND bucket = ANY ($2::smallint[])`, [owner, buckets])
        else {
          await tx.run('LOCK TABLE owners IN SHARE ROW EXCLUSIVE MODE')
          await tx.run(RELEASE, [owner])
          await tx.run('DELETE FROM owners WHERE name = $1', [owner])
        }
      })
    },
  }
}

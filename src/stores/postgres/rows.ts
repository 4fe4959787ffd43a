/** What is PostgreSQL's own about rows; what they say in the words of the model stands in ../sql/rows.ts. */
import type { Owned } from '../../model/index.ts'

export interface OwnedSql {
  /** That `column` is one of the buckets, as a condition; true where nothing is said, for then everything is meant. */
  sql: (column: string) => string
  values: unknown[]
}

/**
 * Who comes with the epoch that a bucket has now, or to one that nobody ever claimed, is given what is in it. The buckets are looked
 * up once, in a list with a yes or no for each. `first` is the number of the first parameter that is free.
 */
export function ownedSql(owned: Owned | undefined, first: number): OwnedSql {
  if (owned === undefined) return { sql: () => 'true', values: [] }
  const list = `ARRAY(SELECT o.epoch IS NOT NULL AND b.epoch IN (0, o.epoch) FROM buckets b
    LEFT JOIN unnest($${first}::smallint[], $${first + 1}::bigint[]) AS o (bucket, epoch) ON o.bucket = b.bucket ORDER BY b.bucket)`
  return { sql: (column) => `(${list})[${column} + 1]`, values: [[...owned.keys()], [...owned.values()]] }
}

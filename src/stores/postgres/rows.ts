/** Bucket conditions of PostgreSQL. Rows are converted to the model in ../sql/rows.ts. */
import type { Owned } from '../../model/index.ts'

export interface OwnedSql {
  /** A condition that `column` is one of the buckets. Always true if no buckets are given. */
  sql: (column: string) => string
  values: unknown[]
}

/**
 * Restricts rows to buckets that the caller owns: its epoch is the current one, or the bucket was never claimed. The buckets are looked up
 * once per statement, as an array of booleans. `first` is the first free parameter.
 */
export function ownedSql(owned: Owned | undefined, first: number): OwnedSql {
  if (owned === undefined) return { sql: () => 'true', values: [] }
  const list = `ARRAY(SELECT o.epoch IS NOT NULL AND b.epoch IN (0, o.epoch) FROM buckets b
    LEFT JOIN unnest($${first}::smallint[], $${first + 1}::bigint[]) AS o (bucket, epoch) ON o.bucket = b.bucket ORDER BY b.bucket)`
  return { sql: (column) => `(${list})[${column} + 1]`, values: [[...owned.keys()], [...owned.values()]] }
}

/**
 * Keyset pagination by date, then id. The row comparison `(at, id) > ($1, $2)` would say the same, but SQLite then seeks by date only
 * and scans all rows of that date. A hundred thousand rows may share a date: days without a time of day, or a list of feeds polled in
 * one round. So the rest of that date and the rows beyond it are two separate seeks.
 */
export interface DateOrder {
  /** Selected columns; expressions need an alias. */
  columns: string
  /** One table, with alias. */
  from: string
  at: string
  id: string
  /** An additional condition on all rows. */
  only?: string
  /** Parameters for date and id of the starting row, and for the maximum number of rows. */
  parameters?: readonly [at: string, id: string, limit: string]
}

/** The first `$limit` rows after `$at` and `$id`, oldest first. */
export function rowsAfterSql(order: DateOrder): string {
  return pageSql(order, '>', 'ASC')
}

/** The first `$limit` rows before `$at` and `$id`, newest first. */
export function rowsBeforeSql(order: DateOrder): string {
  return pageSql(order, '<', 'DESC')
}

function pageSql(
  { columns, from, at, id, only = 'true', parameters = ['$at', '$id', '$limit'] }: DateOrder,
  beyond: '<' | '>',
  direction: string,
): string {
  const [lastAt, lastId, limit] = parameters
  const branch = (name: string, condition: string, order: string): string =>
    `SELECT * FROM (SELECT ${columns}, ${at} AS order_at, ${id} AS order_id FROM ${from}
     WHERE ${only} AND ${condition} ORDER BY ${order} LIMIT ${limit}) AS ${name}`
  return `${branch('rest', `${at} = ${lastAt} AND ${id} ${beyond} ${lastId}`, `${id} ${direction}`)}
    UNION ALL ${branch('others', `${at} ${beyond} ${lastAt}`, `${at} ${direction}, ${id} ${direction}`)}
    ORDER BY order_at ${direction}, order_id ${direction} LIMIT ${limit}`
}

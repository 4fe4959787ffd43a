/**
 * Going on from a row, in the order of a date and, where dates are equal, of ids. `(at, id) > (?, ?)` says so, but SQLite then
 * seeks the date alone and walks past every row of it, and a hundred thousand may share one: days without a time of day,
 * a list of feeds that was polled in one round. So the rest of that date and what lies beyond it are sought one by one.
 */
export interface ByDate {
  /** What is selected, with names of its own for expressions. */
  columns: string
  /** One table, with its alias. */
  from: string
  at: string
  /** The rowid. */
  id: string
  /** A condition that holds for all of them, and may have parameters by name. */
  only?: string
}

/** The first `$limit` rows after `$at` and `$id`, oldest first. */
export function afterSql(order: ByDate): string {
  return goingOn(order, '>', 'ASC')
}

/** The first `$limit` rows before `$at` and `$id`, newest first. */
export function beforeSql(order: ByDate): string {
  return goingOn(order, '<', 'DESC')
}

function goingOn({ columns, from, at, id, only = 'true' }: ByDate, beyond: '<' | '>', direction: string): string {
  const some = (condition: string, order: string): string =>
    `SELECT * FROM (SELECT ${columns}, ${at} AS order_at, ${id} AS order_id FROM ${from}
     WHERE ${only} AND ${condition} ORDER BY ${order} LIMIT $limit)`
  return `${some(`${at} = $at AND ${id} ${beyond} $id`, `${id} ${direction}`)}
    UNION ALL ${some(`${at} ${beyond} $at`, `${at} ${direction}, ${id} ${direction}`)}
    ORDER BY order_at ${direction}, order_id ${direction} LIMIT $limit`
}

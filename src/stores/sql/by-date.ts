/**
 * Going on from a row, in the order of a date and, where dates are equal, of ids. `(at, id) > ($1, $2)` says so, but SQLite then
 * seeks the date alone and walks past every row of it, and a hundred thousand may share one: days without a time of day,
 * a list of feeds that was polled in one round. So the rest of that date and what lies beyond it are sought one by one.
 */
export interface ByDate {
  /** What is selected, with names of its own for expressions. */
  columns: string
  /** One table, with its alias. */
  from: string
  at: string
  id: string
  /** A condition that holds for all of them. */
  only?: string
  /** Parameters for the date and the id of the row, and for how many rows are wanted. */
  parameters?: readonly [at: string, id: string, limit: string]
}

/** The first `$limit` rows after `$at` and `$id`, oldest first. */
export function afterSql(order: ByDate): string {
  return goingOn(order, '>', 'ASC')
}

/** The first `$limit` rows before `$at` and `$id`, newest first. */
export function beforeSql(order: ByDate): string {
  return goingOn(order, '<', 'DESC')
}

function goingOn(
  { columns, from, at, id, only = 'true', parameters = ['$at', '$id', '$limit'] }: ByDate,
  beyond: '<' | '>',
  direction: string,
): string {
  const [lastAt, lastId, limit] = parameters
  const some = (name: string, condition: string, order: string): string =>
    `SELECT * FROM (SELECT ${columns}, ${at} AS order_at, ${id} AS order_id FROM ${from}
     WHERE ${only} AND ${condition} ORDER BY ${order} LIMIT ${limit}) AS ${name}`
  return `${some('rest', `${at} = ${lastAt} AND ${id} ${beyond} ${lastId}`, `${id} ${direction}`)}
    UNION ALL ${some('others', `${at} ${beyond} ${lastAt}`, `${at} ${direction}, ${id} ${direction}`)}
    ORDER BY order_at ${direction}, order_id ${direction} LIMIT ${limit}`
}

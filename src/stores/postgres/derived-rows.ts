/** Statements that derive rows after a migration has loaded all others: due dates of article queues, counters, and pending work. */
import { counterQueries } from '../sql/counter-queries.ts'

const COUNTER_QUERIES = counterQueries(
  (table) => `SELECT coalesce(sum(octet_length(packed)), 0)::bigint FROM ${table}`,
  'get_byte(run, 0)',
)

export const DERIVE_ROWS = [
  `UPDATE article_queues SET due_at = greatest(not_before_at, (SELECT min(a.due_at) FROM articles a
     WHERE a.root = article_queues.root AND a.due_at IS NOT NULL))`,
  'DELETE FROM counters',
  `INSERT INTO counters (slot, name, value) ${COUNTER_QUERIES.map(([name, sql]) => `SELECT 0, '${name}', (${sql})`).join(' UNION ALL ')}`,
  `INSERT INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC
   ON CONFLICT (entry_id) DO UPDATE SET place = nextval('unindexed_places')`,
]

/** What follows from all that was loaded into an empty store: when lines are due, how many there are of everything, and what waits. */
import { countedThings } from '../sql/counted-things.ts'

const COUNTED = countedThings(
  (table) => `SELECT coalesce(sum(octet_length(packed)), 0)::bigint FROM ${table}`,
  'get_byte(run, 0)',
)

export const FOLLOWING = [
  `UPDATE article_lines SET due_at = greatest(not_before_at, (SELECT min(a.due_at) FROM articles a
     WHERE a.root = article_lines.root AND a.due_at IS NOT NULL))`,
  'DELETE FROM counters',
  `INSERT INTO counters (slot, name, value) ${COUNTED.map(([name, sql]) => `SELECT 0, '${name}', (${sql})`).join(' UNION ALL ')}`,
  `INSERT INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC
   ON CONFLICT (entry_id) DO UPDATE SET place = nextval('unindexed_places')`,
]

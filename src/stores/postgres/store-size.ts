/** Size of a PostgreSQL store: of each table with its indexes and TOAST data, and of the database, which only Freshet uses. */
import type { SizeQueries } from '../sql/store-size.ts'
import type { PostgresSession } from './session.ts'

export function postgresSize(session: Pick<PostgresSession, 'rows'>): SizeQueries {
  return {
    tables: `SELECT c.relname AS name, coalesce(pg_total_relation_size(c.oid), 0) AS bytes FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`,
    async total() {
      const [row] = await session.rows<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
      return row!.bytes
    },
  }
}

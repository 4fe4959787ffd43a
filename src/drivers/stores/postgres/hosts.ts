/** The hosts that there is something to say of. */
import { bucketOf } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { type HostRow, hostColumns, hostOfRow } from '../sql/host-rows.ts'
import { atMost } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import type { PostgresSession } from './session.ts'

const NAMES = 'not_before_at, strikes, trouble, budget, crawl_delay, incident'.split(', ')

export function hostMethods(
  session: PostgresSession,
): Pick<Store, 'hosts' | 'hostsNamed' | 'restingHosts' | 'recordHosts'> {
  return {
    hosts: async () => (await session.rows<HostRow>('SELECT * FROM hosts ORDER BY root COLLATE "C"')).map(hostOfRow),

    hostsNamed: async (roots) =>
      (await session.rows<HostRow>('SELECT * FROM hosts WHERE root = ANY ($1::text[])', [roots])).map(hostOfRow),

    restingHosts(now, limit) {
      return session.read(async (query) => {
        const rows = await query.rows<HostRow>(
          'SELECT * FROM hosts WHERE not_before_at > $1 ORDER BY not_before_at, root LIMIT $2',
          [now, atMost(limit)],
        )
        const [all] = await query.rows<{ count: number }>(
          'SELECT count(*) AS count FROM hosts WHERE not_before_at > $1',
          [now],
        )
        return { hosts: rows.map(hostOfRow), all: all!.count }
      })
    },

    recordHosts(hosts) {
      const last = [...new Map(hosts.map((host) => [host.root, host])).values()]
      const kept = last.flatMap((host) => {
        const columns = hostColumns(host)
        return columns ? [[bucketOf(host.root), ...columns]] : []
      })
      const { sql, values } = manyRows(
        'g',
        [
          'bucket smallint',
          'root text',
          'not_before_at bigint',
          'strikes integer',
          'trouble text',
          'budget text',
          'crawl_delay text',
          'incident text',
        ],
        kept,
      )
      const dropped = last.filter((host) => hostColumns(host) === undefined).map(({ root }) => root)
      return session.write(async (tx) => {
        if (dropped.length > 0) await tx.run('DELETE FROM hosts WHERE root = ANY ($1::text[])', [dropped])
        if (kept.length === 0) return
        await tx.run(
          `INSERT INTO hosts (bucket, root, ${NAMES.join(', ')}) SELECT bucket, root, ${NAMES.join(', ')} FROM ${sql} ORDER BY root
           ON CONFLICT (root) DO UPDATE SET ${NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}`,
          values,
        )
      })
    },
  }
}

/** Politeness state of hosts. Only hosts with something worth storing have a row. */
import { bucketOf, type Instant } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { type TypedColumn, upsertRowsSql } from './dialect.ts'
import { type HostRow, hostColumns, hostOfRow } from './host-rows.ts'
import type { SqlSession } from './session.ts'
import { atMost, lastOfEach } from './values.ts'

export function hostMethods({
  dialect,
  ...session
}: SqlSession): Pick<Store, 'hosts' | 'hostsByRoot' | 'restingHosts' | 'recordHosts'> {
  const columns: TypedColumn[] = [
    'root text',
    'not_before_at bigint',
    'strikes integer',
    'trouble text',
    'budget text',
    'crawl_delay text',
    'incident text',
    ...dialect.bucketColumn,
  ]
  const replace = upsertRowsSql('hosts', 'root', columns)

  return {
    async hosts() {
      const rows = await session.rows<HostRow>(`SELECT * FROM hosts ORDER BY root ${dialect.bytewise}`)
      return rows.map(hostOfRow)
    },

    async hostsByRoot(roots) {
      const distinct = [...new Set(roots)].map((root) => [root])
      const rows = await session.each<HostRow>(
        'SELECT h.* FROM given g, hosts h WHERE h.root = g.root',
        ['root text'],
        distinct,
      )
      return rows.map(hostOfRow)
    },

    restingHosts(now: Instant, limit: number) {
      return session.read(function* (query) {
        const rows = yield* query.rows<HostRow>(
          'SELECT * FROM hosts WHERE not_before_at > $1 ORDER BY not_before_at, root LIMIT $2',
          [now, atMost(limit)],
        )
        const total = yield* query.row<{ count: number }>(
          'SELECT count(*) AS count FROM hosts WHERE not_before_at > $1',
          [now],
        )
        return { hosts: rows.map(hostOfRow), all: total!.count }
      })
    },

    recordHosts(hosts) {
      const written: unknown[][] = []
      const dropped: unknown[][] = []
      for (const host of lastOfEach(hosts, ({ root }) => root)) {
        const row = hostColumns(host)
        if (row) written.push([...row, bucketOf(host.root)])
        else dropped.push([host.root])
      }
      return session.write(function* (tx) {
        yield* tx.runEach('DELETE FROM hosts USING given g WHERE hosts.root = g.root', ['root text'], dropped)
        yield* tx.runEach(replace, columns, written)
      })
    },
  }
}

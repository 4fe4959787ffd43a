/** The counters, the hosts that there is something to say of, and what the store occupies. */
import { statSync } from 'node:fs'
import type { Failure, Host, Incident, Instant } from '../../../model/index.ts'
import type { ArticleCounts, Store } from '../../../ports/index.ts'
import { jsonIn } from './columns.ts'
import { jsonOrNull } from './rows.ts'
import type { Session, Tally } from './session.ts'

interface HostRow {
  root: string
  not_before_at: Instant
  strikes: number
  budget: string | null
  crawl_delay: string | null
  incident: string | null
  trouble: string | null
}

export function countQueries(session: Session): Pick<Store, 'counts' | 'hosts' | 'recordHosts'> {
  const { db, file } = session
  const counters = db.prepare<[], Tally>('SELECT * FROM counters')
  const articles = db.prepare<[], ArticleCounts>(
    `SELECT waiting, read, refused, failed, pages, text_bytes AS textBytes, page_bytes AS pageBytes FROM article_counters`,
  )
  const hosts = db.prepare<[], HostRow>('SELECT * FROM hosts ORDER BY root')
  const keep = db.prepare(
    `INSERT OR REPLACE INTO hosts (root, not_before_at, strikes, trouble, budget, crawl_delay, incident)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const drop = db.prepare('DELETE FROM hosts WHERE root = ?')

  return {
    counts() {
      return session.read(() => {
        const { active, paused, gone, ...rest } = counters.get()!
        const bytes = bytesOf(file) + bytesOf(`${file}-wal`)
        return { feeds: { active, paused, gone }, ...rest, articles: articles.get()!, bytes }
      })
    },

    hosts() {
      return session.read(() => hosts.all().map(hostOf))
    },

    recordHosts(hosts) {
      return session.write(() => {
        for (const { root, notBeforeAt, strikes, trouble, ...learnt } of hosts) {
          const own = [learnt.budget, learnt.crawlDelay, learnt.incident].map(jsonOrNull)
          if (strikes > 0 || own.some(Boolean)) keep.run(root, notBeforeAt, strikes, jsonOrNull(trouble), ...own)
          else drop.run(root)
        }
      })
    },
  }
}

function hostOf(row: HostRow): Host {
  const budget = jsonIn<NonNullable<Host['budget']>>(row.budget)
  const crawlDelay = jsonIn<NonNullable<Host['crawlDelay']>>(row.crawl_delay)
  const incident = jsonIn<Incident>(row.incident)
  const trouble = jsonIn<Failure>(row.trouble)
  return {
    root: row.root,
    notBeforeAt: row.not_before_at,
    strikes: row.strikes,
    ...(budget && { budget }),
    ...(crawlDelay && { crawlDelay }),
    ...(incident && { incident }),
    ...(trouble && { trouble }),
  }
}

export function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

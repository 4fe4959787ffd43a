/** Rows of hosts, in every store with tables, and what they say in the words of the model. */
import type { Failure, Host, Incident, Instant } from '../../model/index.ts'
import { jsonInColumn } from './columns.ts'
import { jsonOrNull } from './rows.ts'

export interface HostRow {
  root: string
  not_before_at: Instant
  strikes: number
  budget: string | null
  crawl_delay: string | null
  incident: string | null
  trouble: string | null
}

export function hostOfRow(row: HostRow): Host {
  const adaptiveGap = jsonInColumn<NonNullable<Host['adaptiveGap']>>(row.budget)
  const crawlDelay = jsonInColumn<NonNullable<Host['crawlDelay']>>(row.crawl_delay)
  const incident = jsonInColumn<Incident>(row.incident)
  const trouble = jsonInColumn<Failure>(row.trouble)
  return {
    root: row.root,
    notBeforeAt: row.not_before_at,
    strikes: row.strikes,
    ...(adaptiveGap && { adaptiveGap }),
    ...(crawlDelay && { crawlDelay }),
    ...(incident && { incident }),
    ...(trouble && { trouble }),
  }
}

/** root, not_before_at, strikes, trouble, budget, crawl_delay, incident; undefined if there is nothing to say of it. */
export function hostColumns({
  root,
  notBeforeAt,
  strikes,
  trouble,
  ...learnt
}: Host): (string | number | null)[] | undefined {
  const own = [learnt.adaptiveGap, learnt.crawlDelay, learnt.incident].map(jsonOrNull)
  return strikes > 0 || own.some(Boolean) ? [root, notBeforeAt, strikes, jsonOrNull(trouble), ...own] : undefined
}

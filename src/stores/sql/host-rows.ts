/** Converts rows of hosts to the model and back. */
import type { Failure, Host, Incident, Instant } from '../../model/index.ts'
import { parseJsonColumn } from './columns.ts'
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
  const adaptiveGap = parseJsonColumn<NonNullable<Host['adaptiveGap']>>(row.budget)
  const crawlDelay = parseJsonColumn<NonNullable<Host['crawlDelay']>>(row.crawl_delay)
  const incident = parseJsonColumn<Incident>(row.incident)
  const trouble = parseJsonColumn<Failure>(row.trouble)
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

/** root, not_before_at, strikes, trouble, budget, crawl_delay, incident; undefined if the host has nothing worth storing. */
export function hostColumns({
  root,
  notBeforeAt,
  strikes,
  trouble,
  ...learnt
}: Host): (string | number | null)[] | undefined {
  const learntColumns = [learnt.adaptiveGap, learnt.crawlDelay, learnt.incident].map(jsonOrNull)
  return strikes > 0 || learntColumns.some(Boolean)
    ? [root, notBeforeAt, strikes, jsonOrNull(trouble), ...learntColumns]
    : undefined
}

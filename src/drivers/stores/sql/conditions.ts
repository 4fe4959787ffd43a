/** Conditions that hold in every store with tables, as SQL. */
import type { GroupLevel } from '../../../model/index.ts'
import { levelColumn } from './group-rows.ts'

/** An entry or a poll whose feed is there: what is left of removed ones nobody sees. */
export function isKept(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM removals r WHERE r.feed_id = ${alias}.feed_id)`
}

/** An entry `e` that is no primary at this level. */
export function isRepeated(level: GroupLevel): string {
  return `EXISTS (SELECT 1 FROM members m JOIN groups g ON g.id = m.group_id
    WHERE m.entry_id = e.id AND m.level = ${levelColumn(level)} AND g.primary_id <> e.id)`
}

/**
 * Which versions of the program may use a store. A migration whose first line is `-- additive` only adds what older versions do not look at, so
 * they can go on using the store: an upgrade can be rolled back. A change that older versions would stumble over takes two releases: the first
 * adds, and writes both; the second, without that line, removes. The store remembers the oldest shape that may still use it.
 */

export function isAdditive(migration: string): boolean {
  return /^-- additive\b/.test(migration)
}

/** The oldest shape that may use a store after this migration to `shape`; `oldest` was it before. */
export function oldestAfter(migration: string, shape: number, oldest: number): number {
  return isAdditive(migration) ? oldest : shape
}

const ADDING = /^(CREATE TABLE|CREATE INDEX|ALTER TABLE \w+ ADD COLUMN)\b/i

/** Statements of an additive migration that are none: they change or constrain what older versions write. */
export function notAdditive(migration: string): string[] {
  const statements = migration
    .replace(/--.*$/gm, '')
    .split(';')
    .map((one) => one.trim().replace(/\s+/g, ' '))
    .filter((one) => one !== '')
  return statements.filter((one) => {
    if (!ADDING.test(one)) return true
    const columns = /^ALTER/i.test(one) ? one.split(/ADD COLUMN/i).slice(1) : []
    return columns.some((column) => /NOT NULL/i.test(column) && !/DEFAULT/i.test(column))
  })
}

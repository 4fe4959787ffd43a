/**
 * Decides which versions of Freshet may use a store. A migration whose first line is `-- additive` only adds things that older versions
 * ignore, so they can keep using the store and an upgrade can be rolled back. An incompatible change takes two releases: the first adds
 * the new form and writes both; the second, without that line, removes the old one. The store records the oldest compatible schema
 * version.
 */

export function isAdditive(migration: string): boolean {
  return /^-- additive\b/.test(migration)
}

/** Returns the oldest compatible schema version after a migration to `version`; `oldest` is the one before it. */
export function oldestCompatibleAfter(migration: string, version: number, oldest: number): number {
  return isAdditive(migration) ? oldest : version
}

const ADDITIVE_STATEMENT = /^(CREATE TABLE|CREATE INDEX|ALTER TABLE \w+ ADD COLUMN)\b/i

/** Finds statements that are not additive: they change or constrain what older versions write. */
export function nonAdditiveStatements(migration: string): string[] {
  const statements = migration
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => statement !== '')
  return statements.filter((statement) => {
    if (!ADDITIVE_STATEMENT.test(statement)) return true
    const columns = /^ALTER/i.test(statement) ? statement.split(/ADD COLUMN/i).slice(1) : []
    return columns.some((column) => /NOT NULL/i.test(column) && !/DEFAULT/i.test(column))
  })
}

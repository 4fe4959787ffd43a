import { expect, it } from 'vitest'
import { postgresMigrations } from '../postgres/migrate.ts'
import { readMigrations } from '../sqlite/migrate.ts'
import { isAdditive, nonAdditiveStatements } from './additive-migrations.ts'

it('accepts every migration that is marked as additive', () => {
  const all = [...postgresMigrations(), ...readMigrations()]
  expect(all.length).toBeGreaterThan(40)
  expect(all.filter(isAdditive).flatMap(nonAdditiveStatements)).toEqual([])
})

it.each([
  ['CREATE TABLE moods (id integer PRIMARY KEY); CREATE INDEX by_mood ON moods (id)', 0],
  ['ALTER TABLE feeds ADD COLUMN mood text, ADD COLUMN cheer integer NOT NULL DEFAULT 0 -- ; DROP TABLE x', 0],
  ['ALTER TABLE feeds ADD COLUMN mood text NOT NULL', 1],
  ['ALTER TABLE feeds DROP COLUMN title', 1],
  ['ALTER TABLE feeds RENAME TO sources', 1],
  ['CREATE UNIQUE INDEX once ON feeds (title); UPDATE feeds SET title = 1', 2],
])('finds statements that are not additive: %s', (migration, complaints) => {
  expect(nonAdditiveStatements(migration)).toHaveLength(complaints)
})

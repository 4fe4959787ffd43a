import { expect, it } from 'vitest'
import { postgresMigrations } from '../postgres/migrate.ts'
import { readMigrations } from '../sqlite/migrate.ts'
import { isAdditive, notAdditive } from './additive.ts'

it('lets no migration call itself additive that older versions would stumble over', () => {
  const all = [...postgresMigrations(), ...readMigrations()]
  expect(all.length).toBeGreaterThan(40)
  expect(all.filter(isAdditive).flatMap(notAdditive)).toEqual([])
})

it.each([
  ['CREATE TABLE moods (id integer PRIMARY KEY); CREATE INDEX by_mood ON moods (id)', 0],
  ['ALTER TABLE feeds ADD COLUMN mood text, ADD COLUMN cheer integer NOT NULL DEFAULT 0 -- ; DROP TABLE x', 0],
  ['ALTER TABLE feeds ADD COLUMN mood text NOT NULL', 1],
  ['ALTER TABLE feeds DROP COLUMN title', 1],
  ['ALTER TABLE feeds RENAME TO sources', 1],
  ['CREATE UNIQUE INDEX once ON feeds (title); UPDATE feeds SET title = 1', 2],
])('knows what adds only: %s', (migration, complaints) => {
  expect(notAdditive(migration)).toHaveLength(complaints)
})

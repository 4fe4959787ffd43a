import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createSession } from './session.ts'
import { createSqlSession } from './sql-session.ts'

function openSession() {
  const db = new Database(':memory:')
  db.exec(`CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, size INTEGER)`)
  return createSqlSession(createSession(db, 'memory'))
}

test('binds numbered parameters, in any order and more than once', async () => {
  const session = openSession()
  expect(await session.row('SELECT $2 AS b, $1 AS a, $2 AS again', ['x', 'y'])).toEqual({ b: 'y', a: 'x', again: 'y' })
})

test('binds booleans as numbers and arrays as lists, with the same text encoding as single values', async () => {
  const session = openSession()
  const broken = 'half \ud800'
  await session.run('INSERT INTO notes (text, size) VALUES ($1, $2)', [broken, true])
  const sql = `SELECT text, size FROM notes WHERE ${session.dialect.isOneOf('text', '$1', 'text')}`
  expect(await session.rows(sql, [['other', broken]])).toEqual([{ text: broken.toWellFormed(), size: 1 }])
  expect(await session.rows(sql, [['a\0b']])).toEqual([])
})

test('runs a statement for each row', async () => {
  const session = openSession()
  const rows = [
    ['a', 1],
    ['a', 2],
    ['b', 3],
  ]
  const columns = ['text text', 'size bigint'] as const
  const written = await session.write(function* (tx) {
    const insert =
      'INSERT INTO notes (text, size) SELECT g.text, g.size FROM given g ORDER BY g.text ON CONFLICT DO NOTHING'
    const inserted = yield* tx.changeEach(insert, 'notes.text', columns, rows)
    const update = 'UPDATE notes SET size = g.size FROM given g WHERE notes.text = g.text'
    const updated = yield* tx.changeEach(update, 'notes.text', columns, [['b', 4]])
    const remove = 'DELETE FROM notes USING given g WHERE notes.text = g.text AND notes.size = g.size'
    const removed = yield* tx.changeEach(remove, 'notes.text', columns, [['a', 2]])
    return { inserted, updated, removed }
  })
  expect(written).toEqual({ inserted: [true, false, true], updated: [true], removed: [false] })
  const named = await session.each<{ size: number }>(
    'SELECT n.size FROM given g, notes n WHERE n.text = g.text ORDER BY g.n',
    ['text text'],
    [['b'], ['?'], ['a']],
  )
  expect(named.map(({ size }) => size)).toEqual([4, 1])
  const sizes = await session.rowOfEach(
    'SELECT n.size FROM given g, notes n WHERE n.text = g.text',
    ['text text'],
    [['?'], ['b']],
  )
  expect(sizes).toEqual([undefined, { size: 4 }])
})

test('leaves nothing behind of a transaction that throws', async () => {
  const session = openSession()
  const work = session.write(function* (tx) {
    yield* tx.run("INSERT INTO notes (text, size) VALUES ('a', 1)")
    throw new Error('on purpose')
  })
  await expect(work).rejects.toThrow('on purpose')
  expect(await session.rows('SELECT * FROM notes')).toEqual([])
})

test('refuses work that would leave a transaction open', async () => {
  const session = openSession()
  const work = session.write(function* (tx) {
    yield* tx.run("INSERT INTO notes (text, size) VALUES ('a', 1)")
    yield Promise.resolve()
  })
  await expect(work).rejects.toThrow('it is not synchronous')
  expect(await session.rows('SELECT * FROM notes')).toEqual([])
})

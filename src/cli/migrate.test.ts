/** `freshet migrate` from the command line. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addFeed, draft, record, START } from '../ports/store-samples.contract.ts'
import { openSqliteStore } from '../stores/index.ts'
import type { Terminal } from './io.ts'
import { runCommandLine } from './program.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string) => join(folder, name)
const freshet = (words: string[], more: Partial<Terminal> = {}) =>
  runCommandLine(words, { environment: { FRESHET_STORE: file('from.db') }, ...more })
const migrate = (from: string, to: string, ...more: string[]) =>
  freshet(['migrate', '--from', from, '--to', to, ...more])

async function fill(): Promise<void> {
  const { store } = openSqliteStore({ file: file('from.db'), mode: 'write', now: () => START })
  const feedId = await addFeed(store, 'f')
  await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b')] })])
  await store.close()
}

it('copies a store, reports it, and does not copy twice', async () => {
  await fill()
  const { code, out } = await migrate(file('from.db'), file('to.db'))
  expect(code).toBe(0)
  expect(out).toEqual([`copied 9 rows of 7 kinds to ${file('to.db')}, and compared them with ${file('from.db')}`])
  const { out: listed } = await freshet(['entries', '--json', '--store', file('to.db')])
  expect(listed).toHaveLength(2)
  const again = await migrate(file('from.db'), file('to.db'))
  expect([again.code, again.notes]).toEqual([3, expect.stringContaining('the store is not empty')])
})

it('continues after an interruption with the same command', async () => {
  const words = ['migrate', '--from', file('from.db'), '--to', file('later.db'), '--json']
  const { code, out } = await freshet(words, { interrupted: AbortSignal.abort() })
  expect([code, JSON.parse(out[0]!)]).toEqual([0, expect.objectContaining({ done: false, rows: 0, of: 9 })])
  const used = await freshet(['feeds', '--store', file('later.db')])
  expect([used.code, used.notes]).toEqual([3, expect.stringContaining('Run freshet migrate again')])
  expect(JSON.parse((await freshet(words)).out[0]!)).toMatchObject({ done: true, rows: 9 })
})

it('rejects invalid stores without showing passwords', async () => {
  const wrong: [from: string, to: string, words: string][] = [
    [file('nowhere.db'), file('x.db'), 'there is no such file'],
    [file('from.db'), file('from.db'), '--from and --to are the same store'],
    [file('from.db'), 'mysql://u:secret@h/d', '--to cannot be'],
    [file('from.db'), 'postgres://u:secret@127.0.0.1:1/d', 'cannot be reached'],
  ]
  for (const [from, to, words] of wrong) {
    const { code, notes, out } = await migrate(from, to)
    expect([code === 0, notes], to).toEqual([false, expect.stringContaining(words)])
    expect(`${notes}${out}`).not.toContain('secret')
  }
})

it('rejects invalid content stores without showing passwords', async () => {
  const place = 'cassandra://u:secret@127.0.0.1:1/k'
  const wrong: [flags: string[], words: string][] = [
    [['--to-content-store', 'mongodb://u:secret@h/k'], '--to-content-store cannot be'],
    [['--from-content-store', place, '--to-content-store', place], 'both are the same content store'],
    [['--from-content-store', place], 'could not open Cassandra'],
  ]
  for (const [flags, words] of wrong) {
    const { code, notes, out } = await migrate(file('from.db'), file('x.db'), ...flags)
    expect([code === 0, notes], words).toEqual([false, expect.stringContaining(words)])
    expect(`${notes}${out}`).not.toContain('secret')
  }
})

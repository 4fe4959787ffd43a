/** A store on a read-only disk. Root may write everywhere, so the reader runs as another user. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'

const NOBODY = 65534
const READER = `
  const { openSqliteStore } = await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)})
  const { store } = openSqliteStore({ file: process.argv[1], mode: 'read', now: () => 0 })
  const { feeds } = await store.counts()
  const { readdirSync } = await import('node:fs')
  const copies = readdirSync(process.env.TMPDIR).filter((name) => name.startsWith('freshet-read-'))
  await store.close()
  console.log(JSON.stringify({ feeds: feeds.active, copies }))
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-unwritable-'))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'tmp'))
  chmodSync(join(folder, 'tmp'), 0o777)
})
afterEach(() => {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o755)
  rmSync(folder, { recursive: true })
})

it('is read through a copy that leaves nothing behind', async (context) => {
  const { store } = openSqliteStore({ file: place('store.db'), mode: 'write', now: () => START })
  await store.addFeeds([newFeed('a')])
  await store.close()
  expect(readBySomebody(context)).toEqual({ feeds: 1, copies: [] })
})

it('is read with changes that are only in its WAL, as after a crash', async (context) => {
  const { store } = openSqliteStore({ file: join(folder, 'live.db'), mode: 'write', now: () => START })
  await store.addFeeds([newFeed('a'), newFeed('b')])
  for (const part of ['', '-wal']) copyFileSync(join(folder, `live.db${part}`), `${place('store.db')}${part}`)
  await store.close()
  expect(readBySomebody(context)).toEqual({ feeds: 2, copies: [] })
})

function place(name: string): string {
  mkdirSync(join(folder, 'disk'), { recursive: true })
  return join(folder, 'disk', name)
}

function readBySomebody(context: TestContext): unknown {
  const disk = join(folder, 'disk')
  for (const name of readdirSync(disk)) chmodSync(join(disk, name), 0o444)
  chmodSync(disk, 0o555)
  const isRoot = process.getuid?.() === 0
  const words = ['--input-type=module', '--eval', READER, join(disk, 'store.db')]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { TMPDIR: join(folder, 'tmp') },
    timeout: 60_000,
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  if (isRoot && /EACCES|ERR_MODULE_NOT_FOUND/.test(stderr)) context.skip('nobody may not read this checkout')
  expect(status, stderr).toBe(0)
  expect(readdirSync(join(folder, 'tmp'))).toEqual([])
  return JSON.parse(stdout)
}

import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { TEST_ENTRY } from '../destinations/index.ts'
import type { UserId } from '../model/index.ts'
import { createNoteFolder, noteName, userFolder } from './note-folder.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function opened() {
  const root = await mkdtemp(join(tmpdir(), 'freshet-notes-'))
  folders.push(root)
  const ada = { id: 1 as UserId, name: 'ada' }
  return { root, write: createNoteFolder(root, { allUsers: async () => [ada] as never }) }
}

test('entries become Markdown files named after their title, and none is overwritten', async () => {
  const { root, write } = await opened()
  const entry = { ...TEST_ENTRY, title: 'Tide: high/low', content: '<p>Ten <b>knots</b></p>' }
  expect(await write(1 as UserId, entry)).toBeUndefined()
  expect(await write(1 as UserId, entry)).toBeUndefined()
  expect((await readdir(join(root, 'ada'))).sort()).toEqual(['Tide high low 2.md', 'Tide high low.md'])
  const text = await readFile(join(root, 'ada', 'Tide high low.md'), 'utf8')
  expect(text).toMatch(/^---\ntitle: "Tide: high\/low"\n/)
  expect(text).toContain('Ten **knots**')
})

test('links to other files are not followed', async () => {
  const { root, write } = await opened()
  await write(1 as UserId, { ...TEST_ENTRY, title: 'First' })
  await writeFile(join(root, 'outside'), 'precious')
  await symlink(join(root, 'outside'), join(root, 'ada', 'Tide.md'))
  await write(1 as UserId, { ...TEST_ENTRY, title: 'Tide' })
  expect(await readFile(join(root, 'outside'), 'utf8')).toBe('precious')
  expect(await readdir(join(root, 'ada'))).toContain('Tide 2.md')
})

test('a folder that cannot be written is a failure', async () => {
  const write = createNoteFolder('/proc/freshet', { allUsers: async () => [] })
  expect(await write(1 as UserId, TEST_ENTRY)).toMatch(/^the file could not be written \(E\w+\)$/)
})

test('no title leads out of the folder, and names fit into file systems', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ maxLength: 900 })), (title) => {
      const name = noteName(title)
      expect(name).toMatch(/^[^/\\:*?"<>|\p{C}]+$/u)
      expect(name).not.toMatch(/^\.|[. ]$/)
      expect(Buffer.byteLength(name)).toBeLessThan(215)
    }),
  )
  expect(['../../etc/passwd', '..', '', 'CON', 'a\0b', '.hidden'].map(noteName)).toEqual([
    'etc passwd',
    'Entry',
    'Entry',
    'Entry CON',
    'a b',
    'hidden',
  ])
})

test('folders of users cannot be confused', () => {
  const names = ['ada', '../ada', '..', '', 'user-7', 'a/b', 'Zoë', '.x']
  expect(names.map((name) => userFolder(3 as UserId, name))).toEqual([
    'ada',
    'user-3',
    'user-3',
    'user-3',
    'user-3',
    'user-3',
    'Zoë',
    'user-3',
  ])
})

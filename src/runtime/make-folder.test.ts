import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'freshet-folder-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('makes a folder with all that it stands in, twice as well', () => {
  const folder = join(root, 'a', 'b', 'c')
  makeFolder(folder)
  makeFolder(folder)
  expect(existsSync(folder)).toBe(true)
})

test('says so where none can be made', () => {
  makeFolder(root)
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolder(join(root, 'file', 'folder'))).toThrow()
})

test.runIf(existsSync('/proc/self'))('comes to an end where nothing can be made', () => {
  expect(() => makeFolder('/proc/nope/folder')).toThrow()
})

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'freshet-folder-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('creates a folder with its parents, and accepts an existing one', () => {
  const folder = join(root, 'a', 'b', 'c')
  makeFolder(folder)
  makeFolder(folder)
  expect(existsSync(folder)).toBe(true)
})

test('throws if the folder cannot be created', () => {
  makeFolder(root)
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolder(join(root, 'file', 'folder'))).toThrow()
})

test.runIf(existsSync('/proc/self'))('terminates where no folder can be created', () => {
  expect(() => makeFolder('/proc/nope/folder')).toThrow()
})

/** Folders below folders, from the names of folders. */
import { describe, expect, test } from 'vitest'
import { allPaths, folderTree, isWithin, joined, nameOf, parentOf } from './folder-tree.ts'

const folder = (name: string, unread = 0) => ({ name, unread, feeds: [] })

describe('the tree of folders', () => {
  test('nests by the separator, sums unread entries, and adds folders that have no feeds of their own', () => {
    const tree = folderTree([folder('News / World', 3), folder('Art', 1), folder('News / City / Harbor', 2)])
    expect(allPaths(tree)).toEqual(['Art', 'News', 'News / City', 'News / City / Harbor', 'News / World'])
    expect(tree.map(({ unread }) => unread)).toEqual([1, 5])
    expect(tree[1]?.children[0]).toMatchObject({ name: 'City', unread: 2 })
  })

  test.each([
    ['News', '', 'News'],
    ['News / World', 'News', 'World'],
    ['A / B / C', 'A / B', 'C'],
  ])('%s has a parent and a name', (path, parent, name) => {
    expect([parentOf(path), nameOf(path)]).toEqual([parent, name])
    expect(joined(parent, name)).toBe(path)
  })

  test('a folder is within itself and the folders above it only', () => {
    expect(['A / B', 'A', 'A / BC', 'B'].map((other) => isWithin('A / B', other))).toEqual([true, true, false, false])
  })
})

/** Folders below folders: the names of subscriptions' folders, joined by " / ", as a tree with the unread entries of all below. */
import type { Folder, Subscription } from './subscriptions.svelte.ts'

export const SEPARATOR = ' / '

export interface FolderNode {
  /** The last part of its name. */
  name: string
  /** The whole name. */
  path: string
  unread: number
  feeds: Subscription[]
  children: FolderNode[]
}

export function folderTree(folders: readonly Folder[]): FolderNode[] {
  const roots: FolderNode[] = []
  const byPath = new Map<string, FolderNode>()

  function nodeAt(path: string): FolderNode {
    const existing = byPath.get(path)
    if (existing) return existing
    const node: FolderNode = { name: nameOf(path), path, unread: 0, feeds: [], children: [] }
    byPath.set(path, node)
    const parent = parentOf(path)
    if (parent === '') roots.push(node)
    else nodeAt(parent).children.push(node)
    return node
  }

  for (const { name, unread, feeds } of folders) {
    nodeAt(name).feeds = feeds
    for (let path = name; path !== ''; path = parentOf(path)) nodeAt(path).unread += unread
  }
  for (const { children } of byPath.values()) children.sort(byName)
  return roots.sort(byName)
}

/** '' for folders at the top. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf(SEPARATOR)
  return at < 0 ? '' : path.slice(0, at)
}

export function nameOf(path: string): string {
  return path.slice(parentOf(path).length).replace(SEPARATOR, '')
}

export function joined(parent: string, name: string): string {
  return [parent, name].filter(Boolean).join(SEPARATOR)
}

/** Whether a folder is another one or below it. */
export function isWithin(path: string, other: string): boolean {
  return `${path}${SEPARATOR}`.startsWith(`${other}${SEPARATOR}`)
}

/** All names of folders and of the folders above them, in the order of the tree. */
export function allPaths(nodes: readonly FolderNode[]): string[] {
  return nodes.flatMap((node) => [node.path, ...allPaths(node.children)])
}

const byName = (a: FolderNode, b: FolderNode): number => a.name.localeCompare(b.name)

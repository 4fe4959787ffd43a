/** Creates folders with their parents. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates one level at a time: Node's recursive mkdir never returns in a folder such as /proc, where nothing can be
 * created. `isPrivate`: accessible to the owner only.
 */
export function makeFolder(folder: string, { isPrivate = false }: { isPrivate?: boolean } = {}): void {
  if (isFolder(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder), { isPrivate })
  try {
    mkdirSync(folder, isPrivate ? { mode: 0o700 } : {})
  } catch (error) {
    if (!isFolder(folder)) throw error // otherwise another process created it meanwhile
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

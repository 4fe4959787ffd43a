/** Folders that are to be there, with all that they stand in. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Step by step, because Node's own recursion never ends in a folder such as /proc, where nothing can be made. `isPrivate`: for its owner alone. */
export function makeFolder(folder: string, { isPrivate = false }: { isPrivate?: boolean } = {}): void {
  if (isFolder(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder), { isPrivate })
  try {
    mkdirSync(folder, isPrivate ? { mode: 0o700 } : {})
  } catch (error) {
    if (!isFolder(folder)) throw error // else somebody was faster
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

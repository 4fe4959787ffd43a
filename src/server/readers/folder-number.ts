/**
 * Numbers of folders, for protocols that identify folders so. A number is a hash of the name, so nothing has to be stored; that two of a
 * thousand folders share a number has a chance of one in four thousand.
 */
import { createHash } from 'node:crypto'

/** For feeds in no folder. */
export const NO_FOLDER = 1
const MOST = 2 ** 31 - 3

export function folderNumber(folder: string): number {
  if (folder === '') return NO_FOLDER
  return 2 + (createHash('sha256').update(folder).digest().readUInt32BE(0) % MOST)
}

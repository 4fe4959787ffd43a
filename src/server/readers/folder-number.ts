/**
 * Numbers of folders, for protocols that identify folders so. A number is a hash of the name, so nothing has to be stored; that two of a
 * thousand folders share a number has a chance of one in four thousand.
 */
import { createHash } from 'node:crypto'
import { setBounded } from '../../model/index.ts'

/** For feeds in no folder. */
export const NO_FOLDER = 1
const RANGE = 2 ** 31 - 3
/** A list of thousands of feeds asks for the same few folders. */
const cache = new Map<string, number>()
const MAX_CACHED = 1000

export function folderNumber(folder: string): number {
  if (folder === '') return NO_FOLDER
  const found = cache.get(folder)
  if (found !== undefined) return found
  const number = 2 + (createHash('sha256').update(folder).digest().readUInt32BE(0) % RANGE)
  setBounded(cache, folder, number, MAX_CACHED)
  return number
}

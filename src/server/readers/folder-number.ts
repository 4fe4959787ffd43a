/**
 * Folders by number, for protocols that know them so. The number follows from the name, so that it is the same tomorrow and for
 * everybody, and nothing has to be kept; of a thousand folders, that two have the same happens once in four thousand lives.
 */
import { createHash } from 'node:crypto'

/** What is in no folder is in this one. */
export const NO_FOLDER = 1
const MOST = 2 ** 31 - 3

export function folderNumber(folder: string): number {
  if (folder === '') return NO_FOLDER
  return 2 + (createHash('sha256').update(folder).digest().readUInt32BE(0) % MOST)
}

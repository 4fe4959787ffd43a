/** What may be wanted of feeds and folders, for who only reads. */
import { foldersRound, type Limits } from '../polling/index.ts'
import type { Roles } from '../ports/index.ts'
import type { Config } from './config.ts'

/** All folders in which there are feeds, or of which something is wanted, and those round them. */
export async function foldersIn({ marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>): Promise<string[]> {
  const folders: string[] = [...(await marketBook.folders()).keys()]
  for await (const { feed } of catalogue.everyFeed()) if (feed.folder) folders.push(feed.folder)
  return withThoseRound(folders)
}

export function withThoseRound(folders: Iterable<string>): string[] {
  const found = new Set<string>()
  for (const folder of folders) if (!found.has(folder)) for (const one of foldersRound(folder)) found.add(one)
  return [...found].sort()
}

export function limitsOf({ minInterval, maxInterval }: Pick<Config, 'minInterval' | 'maxInterval'>): Limits {
  return { minMs: minInterval, maxMs: maxInterval }
}

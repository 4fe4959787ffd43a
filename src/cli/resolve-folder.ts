/** Checks that a folder exists, and suggests similar names. */
import { InputError, type Queries } from '../app/index.ts'

const MAX_LISTED = 20
const MAX_EDITS = 2

export async function assertFolderExists(word: string, queries: Queries): Promise<void> {
  const folders = await queries.folders()
  if (folders.includes(word)) return
  const suggestion = folders.find((one) => isSimilar(one, word))
  const more = folders.length > MAX_LISTED ? `, and ${folders.length - MAX_LISTED} more` : ''
  const known =
    folders.length === 0
      ? 'no feed is in a folder: freshet edit 3 --folder News puts one there'
      : `there are: ${folders.slice(0, MAX_LISTED).join(', ')}${more}`
  throw new InputError(
    `there is no folder "${word}"`,
    suggestion === undefined ? known : `did you mean "${suggestion}"? ${known}`,
  )
}

/** Whether the names are equal except for case and spaces, one contains the other, or up to two letters differ. */
function isSimilar(folder: string, word: string): boolean {
  const [a, b] = [folder, word].map((text) => text.toLowerCase().replace(/\s+/g, '').slice(0, 100)) as [string, string]
  return a === b || (b.length > 2 && a.includes(b)) || editDistance(a, b) <= Math.min(MAX_EDITS, a.length - 2)
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row.at(-1)!
}

/** Which folder a person means: one that is there, spelled as it is. */
import { InputError, type Queries } from '../app/index.ts'

const MOST_NAMED = 20
const MOST_SLIPS = 2

export async function checkFolder(word: string, queries: Queries): Promise<void> {
  const folders = await queries.folders()
  if (folders.includes(word)) return
  const near = folders.find((one) => isNear(one, word))
  const more = folders.length > MOST_NAMED ? `, and ${folders.length - MOST_NAMED} more` : ''
  const all =
    folders.length === 0
      ? 'no feed is in a folder: freshet edit 3 --folder News puts one there'
      : `there are: ${folders.slice(0, MOST_NAMED).join(', ')}${more}`
  throw new InputError(`there is no folder "${word}"`, near === undefined ? all : `did you mean "${near}"? ${all}`)
}

/** But for capitals and spaces the same, a part of it, or up to two letters wrong. */
function isNear(folder: string, word: string): boolean {
  const [a, b] = [folder, word].map((text) => text.toLowerCase().replace(/\s+/g, '').slice(0, 100)) as [string, string]
  return a === b || (b.length > 2 && a.includes(b)) || slips(a, b) <= Math.min(MOST_SLIPS, a.length - 2)
}

/** Letters to put in, take out or change until both are the same (Levenshtein). */
function slips(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row.at(-1)!
}

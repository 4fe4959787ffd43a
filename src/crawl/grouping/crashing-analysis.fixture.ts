/** An analysis thread that exits when it gets an entry with the title CRASH, or the index id END. */
import { type Analysis, createAnalysis } from './analysis.ts'

export const CRASH = 'This crashes'
export const END = 'end the thread'

export function openAnalysis(): Record<string, object> {
  const analysis = createAnalysis()
  const crashOn = (changes: { entry?: { title: string } }[]) => {
    if (changes.some(({ entry }) => entry?.title === CRASH)) process.exit(1)
  }
  const crashing: Analysis = {
    ...analysis,
    documents: (changes) => {
      crashOn(changes)
      return analysis.documents(changes)
    },
    group: (id, batch) => {
      if (id === END) process.exit(1)
      crashOn(batch.changes)
      return analysis.group(id, batch)
    },
  }
  return { analysis: crashing }
}

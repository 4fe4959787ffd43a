/** The inside of an analysis thread that ends when it is given an entry with a certain headline, or with another, once. */
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
    place: (id, batch) => {
      if (id === END) process.exit(1)
      crashOn(batch.changes)
      return analysis.place(id, batch)
    },
  }
  return { analysis: crashing }
}

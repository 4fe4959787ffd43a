/**
 * Do two texts tell of the same? Headlines name who and where; whether it is the same thing that happened is in what the
 * texts say beside: of two reports on one company, those on one event share its figures and its other names. A word counts
 * by how few texts use it, so that what a table or a template says every time counts for nothing.
 *
 * Texts come packed, a character for each word; words are counted in a table of fixed size.
 */

export interface TextWords {
  count(text: string, change: 1 | -1): void
  /** Between 0 and 1: how much of what the one says beside its headline is in the other. */
  overlap(a: string, b: string): number
}

const FEW_TEXTS = 100

export function createTextWords(): TextWords {
  const uses = new Uint32Array(2 ** 16)
  let texts = 0

  function weight(word: number): number {
    return Math.max(0, Math.log((texts + FEW_TEXTS) / (uses[word]! + 1)) - 1) ** 2
  }

  return {
    count(text, change) {
      if (text) texts += change
      for (let i = 0; i < text.length; i++) uses[text.charCodeAt(i)]! += change
    },
    overlap(a, b) {
      let [shared, ofA, ofB] = [0, 0, 0]
      for (let i = 0; i < a.length; i++) {
        const value = weight(a.charCodeAt(i))
        ofA += value
        if (b.includes(a[i]!)) shared += value
      }
      for (let i = 0; i < b.length; i++) ofB += weight(b.charCodeAt(i))
      return shared / (Math.min(ofA, ofB) || 1)
    },
  }
}

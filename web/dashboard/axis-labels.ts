/** Places labels along an axis so that they neither overlap nor leave the drawing. */
export interface AxisLabel {
  text: string
  /** Where it points to, in pixels. */
  x: number
}

export interface PlacedLabel extends AxisLabel {
  /** Its middle. */
  middle: number
}

/** Of the drawing's letters, on average. */
const LETTER_WIDTH = 6.8
const GAP = 8

/** In order of importance: one that has no room beside the earlier ones is moved by up to its width, or left out. */
export function placeLabels(labels: readonly AxisLabel[], from: number, to: number): PlacedLabel[] {
  const placed: PlacedLabel[] = []
  for (const { text, x } of labels) {
    const width = widthOf(text)
    const [first, last] = [from + width / 2, to - width / 2]
    if (first > last) continue
    const home = Math.min(last, Math.max(first, x))
    const beside = placed.flatMap((other) => {
      const distance = (widthOf(other.text) + width) / 2 + GAP
      return [other.middle - distance, other.middle + distance]
    })
    const middle = [home, ...beside]
      .filter((at) => at >= first && at <= last && Math.abs(at - home) <= width && isFree(at, width, placed))
      .sort((a, b) => Math.abs(a - home) - Math.abs(b - home))[0]
    if (middle !== undefined) placed.push({ text, x, middle })
  }
  return placed
}

function isFree(middle: number, width: number, placed: readonly PlacedLabel[]): boolean {
  return placed.every((other) => Math.abs(other.middle - middle) >= (widthOf(other.text) + width) / 2 + GAP - 1e-6)
}

function widthOf(text: string): number {
  return text.length * LETTER_WIDTH
}

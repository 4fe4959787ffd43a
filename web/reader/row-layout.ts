/**
 * Positions of the rows of a long list before they are drawn: rows of equal height with a number of items each, and headings between
 * groups. Pure, so a list of any length can show any part of itself.
 */
export interface RowLayout {
  /** Of all rows together. */
  readonly height: number
  readonly count: number
  row(index: number): Row
  /** The row at a height: the last one that begins at or above it. */
  rowAt(top: number): number
  rowOfItem(item: number): number
}

export interface Row {
  top: number
  height: number
  /** The group that begins here; such a row has no items. */
  heading?: string
  /** Its items: `to` is exclusive. */
  from: number
  to: number
}

export interface Measures {
  rowHeight: number
  headingHeight: number
  columns: number
  /** The group of an item; a heading is before each first one. Undefined: no groups. */
  groupOf?: ((item: number) => string) | undefined
}

export function layOut(items: number, { rowHeight, headingHeight, columns, groupOf }: Measures): RowLayout {
  /** First item and position of each row; a heading shares its first item with the row below. */
  const firsts: number[] = []
  const tops: number[] = []
  const headings = new Map<number, string>()
  let [top, inRow, group] = [0, 0, undefined as string | undefined]
  for (let item = 0; item < items; item++) {
    const own = groupOf?.(item)
    const isNewGroup = groupOf !== undefined && own !== group
    if (isNewGroup) {
      group = own
      headings.set(firsts.length, own!)
      firsts.push(item)
      tops.push(top)
      top += headingHeight
    }
    if (isNewGroup || inRow === columns || item === 0) {
      firsts.push(item)
      tops.push(top)
      top += rowHeight
      inRow = 0
    }
    inRow++
  }
  const count = firsts.length

  /** The last row for which `isBefore` holds, at least 0. */
  function lastWhere(isBefore: (row: number) => boolean): number {
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (isBefore(middle)) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    height: top,
    count,
    row(index) {
      const heading = headings.get(index)
      const [from, top] = [firsts[index] ?? 0, tops[index] ?? 0]
      if (heading !== undefined) return { top, height: headingHeight, heading, from, to: from }
      return { top, height: rowHeight, from, to: firsts[index + 1] ?? items }
    },
    rowAt: (y) => lastWhere((row) => tops[row]! <= y),
    rowOfItem: (item) => lastWhere((row) => firsts[row]! <= item),
  }
}

import { describe, expect, it } from 'vitest'
import { layOut } from './row-layout.ts'

const measures = { rowHeight: 100, headingHeight: 30, columns: 1 }
const rows = (layout: ReturnType<typeof layOut>) => Array.from({ length: layout.count }, (_, i) => layout.row(i))

describe('the layout of a list', () => {
  it('puts one item below the other', () => {
    const layout = layOut(3, measures)
    expect(layout.height).toBe(300)
    expect(rows(layout).map(({ top, from, to }) => [top, from, to])).toEqual([
      [0, 0, 1],
      [100, 1, 2],
      [200, 2, 3],
    ])
    expect([0, 99, 100, 299, 5000].map(layout.rowAt)).toEqual([0, 0, 1, 2, 2])
    expect([0, 1, 2].map(layout.rowOfItem)).toEqual([0, 1, 2])
  })

  it('has a heading before each group, and rows end with it', () => {
    const groups = ['a', 'a', 'a', 'b', 'a']
    const layout = layOut(5, { ...measures, columns: 2, groupOf: (i) => groups[i]! })
    expect(rows(layout)).toEqual([
      { top: 0, height: 30, heading: 'a', from: 0, to: 0 },
      { top: 30, height: 100, from: 0, to: 2 },
      { top: 130, height: 100, from: 2, to: 3 },
      { top: 230, height: 30, heading: 'b', from: 3, to: 3 },
      { top: 260, height: 100, from: 3, to: 4 },
      { top: 360, height: 30, heading: 'a', from: 4, to: 4 },
      { top: 390, height: 100, from: 4, to: 5 },
    ])
    expect([0, 1, 2, 3, 4].map(layout.rowOfItem)).toEqual([1, 1, 2, 4, 6])
    expect(layout.height).toBe(490)
  })

  it('may be empty', () => {
    const layout = layOut(0, measures)
    expect([layout.height, layout.count, layout.rowAt(5)]).toEqual([0, 0, 0])
  })
})

/**
 * The frame of all plots: a scale on each side, grid lines, labels. Each plot is drawn in a wide and in a narrow
 * version, and the page shows the one that fits. Colors are defined by the page (`style.css`): a strategy has a
 * number, and each number a color.
 */
import { escapedForReport } from './markup.ts'

export interface Scale {
  from: number
  to: number
  at(value: number): number
}

export interface Tick {
  value: number
  label: string
}

export interface ChartBox {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
}

const WIDE: ChartBox = { width: 720, height: 400, left: 52, right: 122, top: 30, bottom: 42 }
/** Without labels next to the lines: the list of strategies shows their names. */
const NARROW: ChartBox = { width: 350, height: 320, left: 48, right: 8, top: 30, bottom: 42 }

/** A plot for wide pages and for narrow ones. */
export function figure(plot: (box: ChartBox) => string, height = WIDE.height): string {
  const [wide, narrow] = [plot({ ...WIDE, height }), plot({ ...NARROW, height: Math.min(height, NARROW.height) })]
  return wide === '' ? '' : `<figure><div class="wide">${wide}</div><div class="narrow">${narrow}</div></figure>`
}

export function linear(from: number, to: number, start: number, end: number): Scale {
  const span = to - from || 1
  return { from, to, at: (value) => start + ((value - from) / span) * (end - start) }
}

export function logarithmic(from: number, to: number, start: number, end: number): Scale {
  const [low, high] = [Math.log(from), Math.log(to)]
  const span = high - low || 1
  const at = (value: number) => start + ((Math.log(Math.max(from, Math.min(to, value))) - low) / span) * (end - start)
  return { from, to, at }
}

/** The horizontal and vertical range inside the margins. */
export function acrossOf(box: ChartBox): [number, number] {
  return [box.left, box.width - box.right]
}

export function upOf(box: ChartBox): [number, number] {
  return [box.height - box.bottom, box.top]
}

export interface Axis {
  scale: Scale
  ticks: Tick[]
  title: string
}

export function chart(box: ChartBox, x: Axis, y: Axis, inside: string, label: string): string {
  const [leftEdge, rightEdge] = acrossOf(box)
  const [bottom, top] = upOf(box)
  const vertical = spaced(x, MIN_ACROSS).map(({ value, label: words }) => {
    const at = round(x.scale.at(value))
    return `<path class="grid" d="M${at} ${top}V${bottom}"/><text x="${at}" y="${bottom + 16}" class="tick middle">${escapedForReport(words)}</text>`
  })
  const horizontal = spaced(y, MIN_UP).map(({ value, label: words }) => {
    const at = round(y.scale.at(value))
    return `<path class="grid" d="M${leftEdge} ${at}H${rightEdge}"/><text x="${leftEdge - 8}" y="${at}" dy=".35em" class="tick end">${escapedForReport(words)}</text>`
  })
  const titles = `<text x="${(leftEdge + rightEdge) / 2}" y="${box.height - 4}" class="axis middle">${escapedForReport(x.title)}</text><text x="4" y="14" class="axis">${escapedForReport(y.title)}</text>`
  return `<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${escapedForReport(label)}">${vertical.join('')}${horizontal.join('')}${titles}${inside}</svg>`
}

/** The line of a strategy; the page dims it while another is selected. */
export function series(strategy: string, number: number, inside: string): string {
  return `<g class="series s${number}" data-strategy="${escapedForReport(strategy)}">${inside}</g>`
}

export function chartLine(points: [number, number][]): string {
  if (points.length === 0) return ''
  return `<path class="line" d="M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}"/>`
}

export function dot([x, y]: [number, number], words: string, kind = 'dot'): string {
  return `<circle class="${kind}" cx="${round(x)}" cy="${round(y)}" r="${kind === 'ring' ? 6 : 3.2}"><title>${escapedForReport(words)}</title></circle>`
}

export interface End {
  x: number
  y: number
  strategy: string
  number: number
}

/** Labels next to the ends of lines, moved apart to avoid overlaps. */
export function endLabels(ends: End[], box: ChartBox, nameOf: (strategy: string) => string): string {
  if (box.right < MIN_LABEL_WIDTH) return ''
  const [bottom, top] = upOf(box)
  let last = top - LABEL_HEIGHT
  const placed = ends
    .toSorted((a, b) => a.y - b.y)
    .map((end) => {
      last = Math.max(end.y, last + LABEL_HEIGHT)
      return { ...end, labelY: last }
    })
  let next = bottom + LABEL_HEIGHT / 2
  for (const end of placed.reverse()) {
    end.labelY = Math.min(end.labelY, next - LABEL_HEIGHT)
    next = end.labelY
  }
  const labelX = box.width - box.right + 12
  return placed
    .map(({ x, y, strategy, number, labelY }) => {
      const isFar = Math.abs(labelY - y) > LABEL_HEIGHT / 2 || labelX - x > LEADER_FROM
      const leader = isFar
        ? `<path class="leader" d="M${round(x + 4)} ${round(y)}L${labelX - 4} ${round(labelY)}"/>`
        : ''
      const name = `<text class="end-label" x="${labelX}" y="${round(labelY)}" dy=".35em">${escapedForReport(nameOf(strategy))}</text>`
      return series(strategy, number, leader + name)
    })
    .join('')
}

const MIN_LABEL_WIDTH = 60
const LEADER_FROM = 24
const LABEL_HEIGHT = 15
const MIN_ACROSS = 44
const MIN_UP = 22

/** Ticks without those that would overlap. */
function spaced({ scale, ticks }: Axis, minDistance: number): Tick[] {
  let last = Number.NaN
  return ticks.filter(({ value }) => {
    const at = scale.at(value)
    if (Math.abs(at - last) < minDistance) return false
    last = at
    return true
  })
}

export function round(n: number): number {
  return Math.round(n * 10) / 10
}

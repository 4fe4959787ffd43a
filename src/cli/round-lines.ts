/** Plots M, T and ToE of a feed over time as lines of block characters. */
import type { RoundsShape } from '../api/index.ts'
import { formatDuration } from '../model/index.ts'

const BLOCKS = '▁▂▃▄▅▆▇█'
const NAMES = ['M', 'T', 'ToE'] as const

export function roundLines({ hasRounds, words, every, points }: RoundsShape): string[] {
  if (!hasRounds || points.length === 0) return []
  const first = Date.parse(points[0]!.at)
  const last = Date.parse(points.at(-1)!.at)
  const span = points.length > 1 ? ` over ${formatDuration(last - first)}` : ''
  const thinned = every > 1 ? `, of every ${every} polls one` : ''
  return [
    '',
    `rounds: ${words}${span}${thinned}`,
    ...NAMES.map((name) => {
      const values = points.map((point) => point[name])
      const [min, max] = [Math.min(...values), Math.max(...values)]
      const now = roundToHundredths(values.at(-1)!)
      return `  ${name.padEnd(4)} ${blocks(values)}  ${now} now, ${roundToHundredths(min)} to ${roundToHundredths(max)}`
    }),
  ]
}

function blocks(values: readonly number[]): string {
  const max = Math.max(...values)
  return values.map((value) => BLOCKS[Math.round((value / max) * (BLOCKS.length - 1))]).join('')
}

function roundToHundredths(value: number): string {
  return String(Math.round(value * 100) / 100)
}

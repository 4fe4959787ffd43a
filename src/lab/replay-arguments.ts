/** What a person asks of a replay, in the words of the command line. */
import { HintedError, parseRate } from '../model/index.ts'
import { strategies, strategyNamed } from '../scheduling/index.ts'
import type { BudgetArgument } from './comparison.ts'

/**
 * Urbansky et al. have a daily reader beside the hourly one, and a program that reads eq. 2 otherwise than their paper. The warm-up is training enough for posting-history; in its own
 * four weeks no budget would move it.
 */
const ALL = [
  ...Object.keys(strategies).map((name) => (name === 'posting-history' ? 'posting-history:training=0' : name)),
  'posting-history:training=0,by=threshold',
  'moving-average:virtual=one',
  'fixed:1d',
]
/** The budgets that strategies are compared at, unless others are wished for. */
const USUAL_BUDGETS = ['moving-average', 'adva-rss']

/**
 * "all", or names parted by commas: "fixed:1d,adva-rss:max=640,round=8m" names two, for what begins like a setting belongs
 * to the one before it. Throws with a hint where a name or setting is unknown.
 */
export function strategiesIn(text: string): string[] {
  const names: string[] = []
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    if (/^[\w-]+\s*=/.test(part) && names.length > 0) names.push(`${names.pop()},${part}`)
    else if (part === 'all') names.push(...ALL)
    else names.push(part)
  }
  if (names.length === 0)
    throw new HintedError('no strategy is named', `"all", or some of: ${Object.keys(strategies).join(', ')}`)
  for (const name of names) strategyNamed(name)
  return [...new Set(names)]
}

/** "match:moving-average", "5000/d", "200/h", or several of them parted by commas. */
export function budgetsIn(text: string | undefined): BudgetArgument[] {
  const words = text === undefined ? usualBudgets() : text.split(',').map((one) => one.trim())
  return words
    .filter((word) => word !== '')
    .map((word): BudgetArgument => {
      const [, name] = /^match:(.+)$/s.exec(word) ?? []
      if (name !== undefined) {
        strategyNamed(name)
        return { kind: 'match', strategy: name }
      }
      const perDay = parseRate(word)
      if (perDay !== undefined && perDay > 0) return { kind: 'polls', perDay }
      throw new HintedError(
        `--budget cannot be "${word}"`,
        'expected a number of polls such as 5000/d or 200/h, or match:moving-average',
      )
    })
}

function usualBudgets(): string[] {
  return USUAL_BUDGETS.filter((name) => Object.hasOwn(strategies, name)).map((name) => `match:${name}`)
}

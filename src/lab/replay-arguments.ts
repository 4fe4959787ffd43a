/** Parses the arguments of a replay. */
import { HintedError, parseRate } from '../model/index.ts'
import { strategies, strategyNamed } from '../scheduling/index.ts'
import type { BudgetArgument } from './comparison.ts'

/**
 * Urbansky et al. compare a daily reader with the hourly one, and a program that interprets eq. 2 differently from
 * their paper. The warm-up is sufficient training for posting-history; during its own four weeks no budget would
 * affect it.
 */
const ALL = [
  ...Object.keys(strategies).map((name) => (name === 'posting-history' ? 'posting-history:training=0' : name)),
  'posting-history:training=0,by=threshold',
  'moving-average:virtual=one',
  'fixed:1d',
]
/** Default budgets of a comparison. */
const USUAL_BUDGETS = ['moving-average', 'adva-rss']

/**
 * "all", or names separated by commas: "fixed:1d,adva-rss:max=640,round=8m" contains two, because a part that looks
 * like a setting belongs to the name before it. Throws an error with a hint for unknown names and settings.
 */
export function strategiesIn(text: string): string[] {
  const names: string[] = []
  for (const part of text.split(',').map((item) => item.trim())) {
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

/** "match:moving-average", "5000/d", "200/h", or several of them separated by commas. */
export function budgetsIn(text: string | undefined): BudgetArgument[] {
  const parts = text === undefined ? usualBudgets() : text.split(',').map((one) => one.trim())
  return parts
    .filter((item) => item !== '')
    .map((item): BudgetArgument => {
      const [, name] = /^match:(.+)$/s.exec(item) ?? []
      if (name !== undefined) {
        strategyNamed(name)
        return { kind: 'match', strategy: name }
      }
      const perDay = parseRate(item)
      if (perDay !== undefined && perDay > 0) return { kind: 'polls', perDay }
      throw new HintedError(
        `--budget cannot be "${item}"`,
        'expected a number of polls such as 5000/d or 200/h, or match:moving-average',
      )
    })
}

function usualBudgets(): string[] {
  return USUAL_BUDGETS.filter((name) => Object.hasOwn(strategies, name)).map((name) => `match:${name}`)
}

/**
 * The steps of the budget slider, and the expected delay at each: round numbers of polls per day, from the fewest that help to the most.
 * Between two known budgets the delay is interpolated on a logarithmic scale.
 */
export interface BudgetPoint {
  pollsPerDay: number
  delayMs: number
}

const ROUND = [1, 1.5, 2, 3, 4, 5, 7]
const MOST_POLLS = 8_640_000_000

/** Round numbers, ascending; `also` is included even if it is not round. */
export function budgetSteps(points: readonly BudgetPoint[], autoPerDay: number, also?: number): number[] {
  const [first, last] = [points[0]?.pollsPerDay ?? 1, points.at(-1)?.pollsPerDay ?? 1]
  const least = Math.max(1, Math.min(first, autoPerDay || first))
  const most = Math.min(MOST_POLLS, Math.max(last, autoPerDay, least * 10))
  const steps = new Set<number>(also === undefined ? [] : [also])
  for (let ten = 10 ** Math.floor(Math.log10(least)); ten <= most; ten *= 10)
    for (const one of ROUND) {
      const step = Math.round(one * ten)
      if (step >= least * 0.7 && step <= most * 1.4) steps.add(step)
    }
  return [...steps].sort((a, b) => a - b)
}

/** Undefined if nothing is known. Outside the known range the nearest known value applies. */
export function delayAt(points: readonly BudgetPoint[], pollsPerDay: number): number | undefined {
  const after = points.findIndex((point) => point.pollsPerDay >= pollsPerDay)
  if (after <= 0) return points.at(after)?.delayMs
  const [low, high] = [points[after - 1]!, points[after]!]
  const part = Math.log(pollsPerDay / low.pollsPerDay) / Math.log(high.pollsPerDay / low.pollsPerDay)
  return low.delayMs * (high.delayMs / low.delayMs) ** part
}

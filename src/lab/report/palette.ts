/** What a strategy is called in the report, and which of the page's colours is its own. */
export interface Palette {
  number(strategy: string): number
  /** Without its settings, where no other is made from the same recipe. */
  name(strategy: string): string
}

const COLOURS = 12

export function paletteOf(strategies: string[]): Palette {
  const recipe = (strategy: string) => strategy.split(':', 1)[0] ?? strategy
  return {
    number: (strategy) => Math.max(0, strategies.indexOf(strategy)) % COLOURS,
    name: (strategy) =>
      strategies.filter((one) => recipe(one) === recipe(strategy)).length > 1 ? strategy : recipe(strategy),
  }
}

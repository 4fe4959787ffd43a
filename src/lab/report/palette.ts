/** Names and colors of strategies in the report. */
export interface Palette {
  number(strategy: string): number
  /** Without settings if they are not needed to distinguish it. */
  name(strategy: string): string
}

const COLOURS = 12

export function paletteOf(strategies: string[]): Palette {
  const recipe = (strategy: string) => strategy.split(':', 1)[0] ?? strategy
  return {
    number: (strategy) => Math.max(0, strategies.indexOf(strategy)) % COLOURS,
    name: (strategy) =>
      strategies.filter((other) => recipe(other) === recipe(strategy)).length > 1 ? strategy : recipe(strategy),
  }
}

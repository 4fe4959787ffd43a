/**
 * Parses strategies with settings: "fixed:15m", "adva-rss:max=640,round=8m". A definition lists its settings with defaults
 * and descriptions; the first setting may be given without its name.
 */
import { formatDuration, HintedError, parseDuration } from '../model/index.ts'
import type { Strategy } from './strategy.ts'

export type Setting = { description: string } & (
  | { kind: 'number'; default: number; min: number; max: number }
  | { kind: 'duration'; default: number; min: number; max: number }
  | { kind: 'choice'; default: string; choices: readonly string[] }
)

type ValueOf<S extends Setting> = S extends { kind: 'choice' } ? string : number
export type Settings = Readonly<Record<string, Setting>>
export type Values<S extends Settings> = { readonly [Name in keyof S]: ValueOf<S[Name]> }

export interface StrategyDefinition {
  /** One sentence for users who choose a strategy. */
  readonly summary: string
  readonly settings: Settings
  make(values: Readonly<Record<string, number | string>>): Strategy
}

export function defineStrategy<S extends Settings>(
  summary: string,
  settings: S,
  make: (values: Values<S>) => Strategy,
): StrategyDefinition {
  return { summary, settings, make: (values) => make(values as Values<S>) }
}

/**
 * `spec` without the strategy's name: "max=640,round=8m". Throws an error with a hint for unknown settings and invalid
 * values.
 */
export function parseSettings(
  name: string,
  { settings }: StrategyDefinition,
  spec: string,
): Record<string, number | string> {
  const values: Record<string, number | string> = {}
  for (const [key, setting] of Object.entries(settings)) values[key] = setting.default
  const names = Object.keys(settings)
  for (const [i, part] of spec.split(',').entries()) {
    if (part.trim() === '') continue
    const [settingName, valueText] = part.split('=').map((side) => side.trim())
    const key = valueText === undefined ? names[i] : settingName
    const setting = key !== undefined && Object.hasOwn(settings, key) ? settings[key] : undefined
    if (key === undefined || !setting)
      throw new HintedError(
        `the strategy "${name}" has no setting "${settingName}"`,
        names.length > 0 ? `available: ${names.join(', ')}` : 'it has no settings',
      )
    const value = parseValue(setting, valueText ?? settingName ?? '')
    if (value === undefined)
      throw new HintedError(
        `the setting ${key} of "${name}" cannot be "${valueText ?? settingName}"`,
        `expected ${describeExpected(setting)}`,
      )
    values[key] = value
  }
  return values
}

function parseValue(setting: Setting, text: string): number | string | undefined {
  if (setting.kind === 'choice') return setting.choices.includes(text) ? text : undefined
  const value = setting.kind === 'duration' ? parseDuration(text) : text === '' ? Number.NaN : Number(text)
  return value !== undefined && value >= setting.min && value <= setting.max ? value : undefined
}

function describeExpected(setting: Setting): string {
  switch (setting.kind) {
    case 'choice':
      return setting.choices.join(' or ')
    case 'duration':
      return `a duration from ${formatDuration(setting.min)} to ${formatDuration(setting.max)}, such as 90s or 1h30m`
    case 'number':
      return `a number from ${setting.min} to ${setting.max}`
  }
}

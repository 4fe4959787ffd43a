/**
 * How a command is described: its words, its help and its settings. Settings come from the one table in app; a command
 * names those that concern it, and `--help` shows them with their default and environment variable.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import {
  type Config,
  type Configured,
  environmentOf,
  flagOf,
  InputError,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  readConfig,
  shownValue,
} from '../app/index.ts'
import { DAY, formatDuration, type Millis, parseDuration } from '../model/index.ts'
import type { Io } from './io.ts'

export type Flags = Record<string, string | boolean | undefined>

/** Settings that matter to commands which show the page. */
export const SERVER_OPTIONS: readonly OptionName[] = ['host', 'port', 'listenWithoutLogin']

/** Settings that say where a command looks, or asks: in a store that lies here, or at a server elsewhere. */
export const PLACE_OPTIONS: readonly OptionName[] = ['store', 'server', 'token', 'profiles']

/** With whose things are meant there. */
export const PERSONAL_OPTIONS: readonly OptionName[] = [...PLACE_OPTIONS, 'person']

/** Settings that matter to commands which go out to the web. */
export const CRAWL_OPTIONS = OPTION_NAMES.filter((name) => !SERVER_OPTIONS.includes(name) && name !== 'person')

export function withSettings(command: Command, names: readonly OptionName[]): Command {
  // Whoever opens the store opens what stands beside it.
  const all = names.flatMap((name): OptionName[] => (name === 'store' ? ['store', 'library'] : [name]))
  for (const name of new Set(all)) {
    const { kind, sentence, default: value } = OPTIONS[name]
    const shown = shownValue(name, value)
    const about = `${sentence} (default: ${shown === '' ? 'none' : shown}; ${environmentOf(name)})`
    const word = kind.alone ? `[${kind.placeholder}]` : `<${kind.placeholder}>`
    const option = new Option(`--${flagOf(name)} ${word}`, about).helpGroup('Settings:')
    command.addOption(kind.alone ? option.preset(kind.alone) : option)
  }
  return command.addOption(
    new Option(
      '--config <file>',
      'a file with settings (default: freshet.toml, if there is one; FRESHET_CONFIG)',
    ).helpGroup('Settings:'),
  )
}

export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
}

export function configured(io: Io, flags: Flags): Configured {
  const named = typeof flags.config === 'string' ? flags.config : io.environment.FRESHET_CONFIG
  const name = named ?? 'freshet.toml'
  if (named !== undefined && !existsSync(named))
    throw new InputError(`there is no file ${named}`, 'give --config the path of a TOML file')
  const file = existsSync(name) ? { name, text: settingsIn(name) } : undefined
  const given = Object.fromEntries(OPTION_NAMES.map((option) => [option, textOf(flags[option])]))
  return readConfig({ flags: given, environment: io.environment, ...(file && { file }) })
}

function settingsIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EISDIR' // which comes without its path
    if (!isFolder) throw error
    throw new InputError(`${file} is a folder`, 'give --config the path of a TOML file')
  }
}

/** Who names a store on the command line means that, whatever server the environment or the file names. */
export function configOf(io: Io, flags: Flags): Config {
  const { config, origins } = configured(io, flags)
  if (origins.store !== 'flag' || config.server === '') return config
  if (origins.server === 'flag')
    throw new InputError('--store and --server do not go together', 'a server has a store of its own: leave one out')
  return { ...config, server: '' }
}

/** A whole number of a command's own option. */
export function wholeFlag(flags: Flags, name: string, fallback: number): number {
  const text = textOf(flags[name])
  if (text === undefined) return fallback
  if (!/^\d{1,9}$/.test(text))
    throw new InputError(`--${name} cannot be "${text}"`, 'expected a whole number from 0 to 999999999')
  return Number(text)
}

const LONGEST_DURATION = 3660 * DAY

/** A length of time of a command's own option. */
export function durationFlag(flags: Flags, name: string, least: Millis): Millis {
  const ms = parseDuration(String(flags[name]))
  if (ms !== undefined && ms >= least && ms <= LONGEST_DURATION) return ms
  const atLeast = least > 0 ? `, at least ${formatDuration(least)}` : ''
  throw new InputError(`--${name} cannot be "${flags[name]}"`, `expected a length of time such as 14d${atLeast}`)
}

/** Of `--for`: aborts when the time is over, or when somebody interrupts. */
export function endOf(flags: Flags, interrupted: AbortSignal): AbortSignal {
  const text = textOf(flags.for)
  if (text === undefined) return interrupted
  const ms = parseDuration(text)
  if (!ms) throw new InputError(`--for cannot be "${text}"`, 'expected a length of time such as 90s, 10m or 2h')
  return AbortSignal.any([interrupted, AbortSignal.timeout(Math.min(ms, LONGEST_TIMER_MS))])
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

function textOf(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined
}

/**
 * Shared by commands: settings, examples and flags. Settings come from the table in app; a command names those it uses, and `--help` lists
 * them in groups with their defaults.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import {
  type Config,
  type Configured,
  flagOf,
  formatSetting,
  headingOf,
  InputError,
  NET_OPTIONS,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  QUEUE_OPTIONS,
  readConfig,
} from '../app/index.ts'
import { DAY, formatDuration, type Millis, parseDuration } from '../model/index.ts'
import type { Io } from './io.ts'

export type Flags = Record<string, string | boolean | undefined>

/** Options of commands that serve the page. */
export const SERVER_OPTIONS: readonly OptionName[] = ['host', 'port', 'listenWithoutLogin']

/** Options that select a local store or a remote server. */
export const STORE_OPTIONS: readonly OptionName[] = ['store', 'server', 'token', 'profiles']

/** The same for commands that work on user data. */
export const USER_OPTIONS: readonly OptionName[] = [...STORE_OPTIONS, 'user']

/** Options that connect a command to the queue of a fleet. */
export const CONNECTION_OPTIONS: readonly OptionName[] = [
  'queue',
  'queuePassword',
  'queueName',
  'queueCredentials',
  'queueCa',
  'queueCert',
  'queueKey',
]

/** Options of commands that fetch feeds and store entries. */
export const FETCH_OPTIONS: readonly OptionName[] = [
  'articles',
  'hostGap',
  'hostGapExcept',
  'robots',
  ...NET_OPTIONS,
  'secretKeyFile',
  'queue',
]

const QUEUE_ONLY = new Set<OptionName>([...QUEUE_OPTIONS.filter((name) => name !== 'lease'), 'health'])

/** `freshet run` is a single process without a queue, and is a server itself. */
export const RUN_OPTIONS = OPTION_NAMES.filter(
  (name) => !QUEUE_ONLY.has(name) && !['server', 'token', 'profiles', 'user'].includes(name),
)

export function withSettings(command: Command, names: readonly OptionName[]): Command {
  // A command that opens the store also opens its content store.
  const expanded = names.flatMap((name): OptionName[] => (name === 'store' ? ['store', 'contentStore'] : [name]))
  const byHeading = (heading: string) => [...new Set(expanded)].filter((name) => headingOf(name) === heading)
  for (const name of byHeading('Options:')) command.addOption(optionFor(name))
  for (const name of byHeading('General options:')) command.addOption(optionFor(name))
  command.addOption(
    new Option('--config <file>', 'Settings file. (default: freshet.toml, if it exists)').helpGroup('General options:'),
  )
  for (const name of byHeading('Advanced options:')) command.addOption(optionFor(name))
  return command.addHelpText('after', SETTINGS_HELP)
}

function optionFor(name: OptionName): Option {
  const { kind, sentence, default: value } = OPTIONS[name]
  const formatted = formatSetting(name, value)
  const description = formatted === '' ? sentence : `${sentence} (default: ${formatted})`
  const placeholder = kind.bareValue ? `[${kind.placeholder}]` : `<${kind.placeholder}>`
  const option = new Option(`--${flagOf(name)} ${placeholder}`, description).helpGroup(headingOf(name))
  return kind.bareValue ? option.preset(kind.bareValue) : option
}

const SETTINGS_HELP = `
Settings such as --host-gap can also come from the environment (FRESHET_HOST_GAP)
or from freshet.toml (host-gap = "5s"). All settings: docs/configuration.md`

export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
}

export function configured(io: Io, flags: Flags): Configured {
  const configuredFile = typeof flags.config === 'string' ? flags.config : io.environment.FRESHET_CONFIG
  const name = configuredFile ?? 'freshet.toml'
  if (configuredFile !== undefined && !existsSync(configuredFile))
    throw new InputError(`${configuredFile} does not exist`, 'give --config the path of a TOML file')
  const file = existsSync(name) ? { name, text: readSettingsFile(name) } : undefined
  const values = Object.fromEntries(OPTION_NAMES.map((option) => [option, textFlag(flags[option])]))
  return readConfig({ flags: values, environment: io.environment, ...(file && { file }) })
}

function readSettingsFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EISDIR' // the error of Node has no path
    if (!isFolder) throw error
    throw new InputError(`${file} is a folder`, 'give --config the path of a TOML file')
  }
}

/** `--store` on the command line takes precedence over a server from the environment or the file. */
export function configOf(io: Io, flags: Flags): Config {
  const { config, origins } = configured(io, flags)
  if (origins.store !== 'flag' || config.server === '') return config
  if (origins.server === 'flag')
    throw new InputError('--store and --server cannot be combined', 'a server has its own store: leave one out')
  return { ...config, server: '' }
}

/** Parses the whole number of an option. */
export function integerFlag(flags: Flags, name: string, fallback: number): number {
  const text = textFlag(flags[name])
  if (text === undefined) return fallback
  if (!/^\d{1,9}$/.test(text))
    throw new InputError(`--${flagOf(name)} cannot be "${text}"`, 'expected a whole number from 0 to 999999999')
  return Number(text)
}

const MAX_DURATION_MS = 3660 * DAY

/** Parses the duration of an option. */
export function durationFlag(flags: Flags, name: string, minMs: Millis): Millis {
  const ms = parseDuration(String(flags[name]))
  if (ms !== undefined && ms >= minMs && ms <= MAX_DURATION_MS) return ms
  const atLeast = minMs > 0 ? `, at least ${formatDuration(minMs)}` : ''
  throw new InputError(`--${name} cannot be "${flags[name]}"`, `expected a duration such as 14d${atLeast}`)
}

/** A signal that aborts when the time of `--for` is over, or when the user interrupts the command. */
export function stopSignal(flags: Flags, interrupted: AbortSignal): AbortSignal {
  const text = textFlag(flags.for)
  if (text === undefined) return interrupted
  const ms = parseDuration(text)
  if (!ms) throw new InputError(`--for cannot be "${text}"`, 'expected a duration such as 90s, 10m or 2h')
  return AbortSignal.any([interrupted, AbortSignal.timeout(Math.min(ms, MAX_TIMER_MS))])
}

const MAX_TIMER_MS = 2 ** 31 - 1

function textFlag(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined
}

/**
 * How commands describe themselves: arguments, help and settings. Settings come from the one table in app; a command names those it
 * uses, and `--help` lists them in groups with their defaults.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import {
  type Config,
  type Configured,
  flagOf,
  headingOf,
  InputError,
  NET_OPTIONS,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  QUEUE_OPTIONS,
  readConfig,
  shownValue,
} from '../app/index.ts'
import { DAY, formatDuration, type Millis, parseDuration } from '../model/index.ts'
import type { Io } from './io.ts'

export type Flags = Record<string, string | boolean | undefined>

/** Options of commands that serve the page. */
export const SERVER_OPTIONS: readonly OptionName[] = ['host', 'port', 'listenWithoutLogin']

/** Where a command works: on a local store, or on a remote server. */
export const PLACE_OPTIONS: readonly OptionName[] = ['store', 'server', 'token', 'profiles']

/** The same for commands on user data. */
export const PERSONAL_OPTIONS: readonly OptionName[] = [...PLACE_OPTIONS, 'user']

/** How a command reaches the queue of a fleet. */
export const CONNECTION_OPTIONS: readonly OptionName[] = [
  'queue',
  'queuePassword',
  'queueName',
  'queueCredentials',
  'queueCa',
  'queueCert',
  'queueKey',
]

/** Options of commands that fetch feeds and store what they find. */
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

/** `freshet run` is one process: it needs no queue, and is a server itself. */
export const RUN_OPTIONS = OPTION_NAMES.filter(
  (name) => !QUEUE_ONLY.has(name) && !['server', 'token', 'profiles', 'user'].includes(name),
)

export function withSettings(command: Command, names: readonly OptionName[]): Command {
  // A command that opens the store also opens its content store.
  const all = names.flatMap((name): OptionName[] => (name === 'store' ? ['store', 'contentStore'] : [name]))
  const byHeading = (heading: string) => [...new Set(all)].filter((name) => headingOf(name) === heading)
  for (const name of byHeading('Options:')) command.addOption(optionFor(name))
  for (const name of byHeading('General options:')) command.addOption(optionFor(name))
  command.addOption(
    new Option('--config <file>', 'Settings file. (default: freshet.toml, if it exists)').helpGroup('General options:'),
  )
  for (const name of byHeading('Advanced options:')) command.addOption(optionFor(name))
  return command.addHelpText('after', ABOUT_SETTINGS)
}

function optionFor(name: OptionName): Option {
  const { kind, sentence, default: value } = OPTIONS[name]
  const shown = shownValue(name, value)
  const about = shown === '' ? sentence : `${sentence} (default: ${shown})`
  const word = kind.alone ? `[${kind.placeholder}]` : `<${kind.placeholder}>`
  const option = new Option(`--${flagOf(name)} ${word}`, about).helpGroup(headingOf(name))
  return kind.alone ? option.preset(kind.alone) : option
}

const ABOUT_SETTINGS = `
Settings such as --host-gap can also come from the environment (FRESHET_HOST_GAP)
or from freshet.toml (host-gap = "5s"). All settings: docs/configuration.md`

export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
}

export function configured(io: Io, flags: Flags): Configured {
  const named = typeof flags.config === 'string' ? flags.config : io.environment.FRESHET_CONFIG
  const name = named ?? 'freshet.toml'
  if (named !== undefined && !existsSync(named))
    throw new InputError(`${named} does not exist`, 'give --config the path of a TOML file')
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

/** `--store` on the command line takes precedence over a server from the environment or the file. */
export function configOf(io: Io, flags: Flags): Config {
  const { config, origins } = configured(io, flags)
  if (origins.store !== 'flag' || config.server === '') return config
  if (origins.server === 'flag')
    throw new InputError('--store and --server cannot be combined', 'a server has its own store: leave one out')
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
  throw new InputError(`--${name} cannot be "${flags[name]}"`, `expected a duration such as 14d${atLeast}`)
}

/** Of `--for`: aborts when the time is over, or when somebody interrupts. */
export function endOf(flags: Flags, interrupted: AbortSignal): AbortSignal {
  const text = textOf(flags.for)
  if (text === undefined) return interrupted
  const ms = parseDuration(text)
  if (!ms) throw new InputError(`--for cannot be "${text}"`, 'expected a duration such as 90s, 10m or 2h')
  return AbortSignal.any([interrupted, AbortSignal.timeout(Math.min(ms, LONGEST_TIMER_MS))])
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

function textOf(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined
}

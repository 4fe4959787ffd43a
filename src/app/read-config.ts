/** Reads the settings of a process: flags, else the environment, else freshet.toml, else defaults; each value is checked. */
import { readFileSync } from 'node:fs'
import { withoutCredentials } from '../model/index.ts'
import {
  type Config,
  environmentOf,
  flagOf,
  OPTION_NAMES,
  OPTIONS,
  type Option,
  type OptionName,
  SECRETS,
} from './config.ts'
import { ConfigError } from './config-error.ts'
import { type ListedSource, listedSources } from './listed-sources.ts'
import { secret } from './options.ts'
import { settingText, tomlTable } from './toml-file.ts'

/** Where a value came from, for `freshet config`. */
export type OptionOrigin = 'default' | 'freshet.toml' | 'environment' | 'flag'

export interface Configured {
  config: Config
  origins: Record<OptionName, OptionOrigin>
  /** Sources in the file; `freshet run` adds them. */
  sources: ListedSource[]
}

export interface ConfigInput {
  /** By option name, as commander gives them: camelCase. */
  flags: Record<string, string | undefined>
  environment: Record<string, string | undefined>
  /** The text of freshet.toml, if there is one, and its name for messages. */
  file?: { name: string; text: string }
}

export function readConfig({ flags, environment, file }: ConfigInput): Configured {
  const given = new Map<OptionName, { value: string; said: string; origin: OptionOrigin }>()
  const { sources, ...table } = file ? tomlTable(file) : {}
  if (file)
    for (const [key, value] of Object.entries(table)) {
      const name = nameBy(flagOf, key, `${file.name} has an unknown key "${key}"`)
      given.set(name, { value: settingText(value), said: `${key} in ${file.name}`, origin: 'freshet.toml' })
    }
  for (const name of OPTION_NAMES)
    for (const key of (OPTIONS[name] as Option<unknown>).alsoFrom ?? []) {
      const value = environment[key]
      if (value) given.set(name, { value, said: key, origin: 'environment' })
    }
  for (const [key, value] of Object.entries(environment)) {
    if (!key.startsWith('FRESHET_') || key === 'FRESHET_CONFIG' || value === undefined) continue
    const ofFile = SECRETS.find((name) => `${environmentOf(name)}_FILE` === key)
    if (ofFile && environment[environmentOf(ofFile)] !== undefined)
      throw new ConfigError(`${environmentOf(ofFile)} and ${key} are both set`, 'remove one of them')
    const name = ofFile ?? nameBy(environmentOf, key, `the environment has an unknown variable ${key}`)
    given.set(name, { value: ofFile ? secretIn(value, key) : value, said: key, origin: 'environment' })
  }
  for (const name of OPTION_NAMES) {
    const value = flags[name]
    if (value !== undefined) given.set(name, { value, said: `--${flagOf(name)}`, origin: 'flag' })
  }

  const config: Record<string, unknown> = {}
  const origins: Record<string, OptionOrigin> = {}
  for (const name of OPTION_NAMES) {
    const one = given.get(name)
    config[name] = one ? readValue(name, one.value, one.said) : OPTIONS[name].default
    origins[name] = one?.origin ?? 'default'
  }
  return {
    config: checked(withPasswords(config as Config)),
    origins: origins as Record<OptionName, OptionOrigin>,
    sources: listedSources(sources, file?.name ?? ''),
  }
}

/** The defaults. */
export function defaultConfig(): Config {
  return readConfig({ flags: {}, environment: {} }).config
}

function readValue(name: OptionName, given: string, said: string): unknown {
  const { kind, isSecret } = OPTIONS[name] as unknown as Option<unknown>
  const value = kind.read(given)
  if (value === undefined) {
    // Without escaping, the end of a password cannot be found.
    const shown =
      isSecret && (kind.show === secret.show || given.includes('@')) ? 'that' : `"${withoutCredentials(given)}"`
    const advice =
      isSecret && given.includes('@') ? '; escape / ? # and @ in passwords, or use the separate password setting' : ''
    throw new ConfigError(`${said} cannot be ${shown}`, `expected ${kind.expected}${advice}`)
  }
  return value
}

/** The text of a secrets file without its final line break. */
function secretIn(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`cannot read ${path}, the file in ${key} (${code})`, 'check the path and its permissions')
  }
}

function withPasswords(config: Config): Config {
  return {
    ...config,
    store: withPassword(config.store, config.storePassword, '--store'),
    queue: config.queue
      .split(',')
      .map((one) => withPassword(one.trim(), config.queuePassword, '--queue'))
      .join(','),
  }
}

function withPassword(address: string, given: string, flag: string): string {
  if (given === '') return address
  const url = URL.parse(address)
  if (!url?.username)
    throw new ConfigError(`${flag}-password is set, but ${flag} has no user`, 'add one, as in scheme://user@host')
  url.password = encodeURIComponent(given)
  return url.href
}

function checked(config: Config): Config {
  if (config.minInterval > config.maxInterval)
    throw new ConfigError('--min-interval is longer than --max-interval', 'set --min-interval to the shorter one')
  if (/[?#]/.test(config.publicUrl))
    throw new ConfigError(
      `--public-url cannot be "${withoutCredentials(config.publicUrl)}"`,
      'leave out ? and #: paths are appended to it',
    )
  if (config.publishHub && !config.publicUrl)
    throw new ConfigError(
      '--publish-hub needs --public-url',
      'set --public-url to the URL at which the hub reaches this server',
    )
  if (config.copies === 'verified' && config.copyThreshold > 1)
    throw new ConfigError(
      `--copy-threshold cannot be ${config.copyThreshold} where copies are verified`,
      'give a similarity from 0 to 1, or use --copies simhash, which takes distances',
    )
  return config
}

/** Settings of version 0.1 under names they no longer have. */
const RENAMED: Readonly<Record<string, OptionName>> = {
  library: 'contentStore',
  person: 'user',
  knownBy: 'dedupeBy',
  hub: 'publishHub',
  maxPages: 'maxPagesSize',
  archiveFile: 'archiveFileSize',
}

function nameBy(spelling: (name: string) => string, key: string, message: string): OptionName {
  const name = OPTION_NAMES.find((one) => spelling(one) === key)
  if (name) return name
  const old = Object.keys(RENAMED).find((one) => spelling(one) === key)
  if (old) throw new ConfigError(message, `it is called ${spelling(RENAMED[old] ?? '')} now`)
  const near = OPTION_NAMES.map(spelling).find((one) => one.includes(key) || key.includes(one))
  throw new ConfigError(
    message,
    near ? `did you mean ${near}?` : `known names: ${OPTION_NAMES.map(spelling).join(', ')}`,
  )
}

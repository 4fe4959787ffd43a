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
  /** Listed in the file; `freshet run` adds them. */
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
      throw new ConfigError(`${environmentOf(ofFile)} and ${key} are both set`, 'leave one of them out')
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

/** What is in force when nobody says anything. */
export function defaultConfig(): Config {
  return readConfig({ flags: {}, environment: {} }).config
}

function readValue(name: OptionName, given: string, said: string): unknown {
  const { kind, isSecret } = OPTIONS[name] as unknown as Option<unknown>
  const value = kind.read(given)
  if (value === undefined) {
    // Where a password is not escaped, nobody can tell where it ends.
    const shown =
      isSecret && (kind.show === secret.show || given.includes('@')) ? 'that' : `"${withoutCredentials(given)}"`
    const advice = isSecret && given.includes('@') ? '; escape / ? # and @ in a password, or give it separately' : ''
    throw new ConfigError(`${said} cannot be ${shown}`, `expected ${kind.expected}${advice}`)
  }
  return value
}

/** What a file of secrets holds: its text without the line break at its end. */
function secretIn(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`the file that ${key} names cannot be read: ${path} (${code})`, 'see that it is there')
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
    throw new ConfigError(`${flag}-password is set, and ${flag} names no user`, 'name one, as in scheme://user@host')
  url.password = encodeURIComponent(given)
  return url.href
}

function checked(config: Config): Config {
  if (config.minInterval > config.maxInterval)
    throw new ConfigError('--min-interval is longer than --max-interval', 'make the first the shorter one')
  if (/[?#]/.test(config.publicUrl))
    throw new ConfigError(
      `--public-url cannot be "${withoutCredentials(config.publicUrl)}"`,
      'addresses are put below it: no ? and no #',
    )
  if (config.hub && !config.publicUrl)
    throw new ConfigError('--hub needs --public-url', 'say under which address the hub reaches our feeds')
  if (config.copies === 'verified' && config.copyThreshold > 1)
    throw new ConfigError(
      `--copy-threshold cannot be ${config.copyThreshold} where copies are verified`,
      'give a likeness from 0 to 1, or take --copies simhash, which goes by distances',
    )
  return config
}

function nameBy(spelling: (name: OptionName) => string, key: string, message: string): OptionName {
  const name = OPTION_NAMES.find((one) => spelling(one) === key)
  if (name) return name
  const near = OPTION_NAMES.map(spelling).find((one) => one.includes(key) || key.includes(one))
  throw new ConfigError(message, near ? `did you mean ${near}?` : `there are: ${OPTION_NAMES.map(spelling).join(', ')}`)
}

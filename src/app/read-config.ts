/** Reads and validates settings from flags, the environment, freshet.toml and defaults, in this order of precedence. */
import { readFileSync } from 'node:fs'
import type { ListedRule } from '../filtering/index.ts'
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
import { parseListedRules } from './listed-rules.ts'
import { type ListedSource, parseListedSources } from './listed-sources.ts'
import { secret } from './options.ts'
import { settingText, tomlTable } from './toml-file.ts'

/** The source of a value, for `freshet config`. */
export type OptionOrigin = 'default' | 'freshet.toml' | 'environment' | 'flag'

export interface Configured {
  config: Config
  origins: Record<OptionName, OptionOrigin>
  /** Sources in the file. `freshet run` adds them. */
  sources: ListedSource[]
  /** Rules in the file. `freshet run` applies them for `--user` or the first account. */
  rules: ListedRule[]
}

export interface ConfigInput {
  /** Values by option name in camelCase, as commander provides them. */
  flags: Record<string, string | undefined>
  environment: Record<string, string | undefined>
  /** Name and text of freshet.toml, if it exists. */
  file?: { name: string; text: string }
}

export function readConfig({ flags, environment, file }: ConfigInput): Configured {
  const values = new Map<OptionName, { value: string; label: string; origin: OptionOrigin }>()
  const { sources, rules, ...table } = file ? tomlTable(file) : {}
  if (file)
    for (const [key, value] of Object.entries(table)) {
      const name = findOption(flagOf, key, `${file.name} has an unknown key "${key}"`)
      values.set(name, { value: settingText(value), label: `${key} in ${file.name}`, origin: 'freshet.toml' })
    }
  for (const name of OPTION_NAMES)
    for (const key of (OPTIONS[name] as Option<unknown>).alsoFrom ?? []) {
      const value = environment[key]
      if (value) values.set(name, { value, label: key, origin: 'environment' })
    }
  for (const [key, value] of Object.entries(environment)) {
    if (!key.startsWith('FRESHET_') || key === 'FRESHET_CONFIG' || value === undefined) continue
    const ofFile = SECRETS.find((name) => `${environmentOf(name)}_FILE` === key)
    if (ofFile && environment[environmentOf(ofFile)] !== undefined)
      throw new ConfigError(`${environmentOf(ofFile)} and ${key} are both set`, 'remove one of them')
    const name = ofFile ?? findOption(environmentOf, key, `the environment has an unknown variable ${key}`)
    values.set(name, { value: ofFile ? readSecretFile(value, key) : value, label: key, origin: 'environment' })
  }
  for (const name of OPTION_NAMES) {
    const value = flags[name]
    if (value !== undefined) values.set(name, { value, label: `--${flagOf(name)}`, origin: 'flag' })
  }

  const config: Record<string, unknown> = {}
  const origins: Record<string, OptionOrigin> = {}
  for (const name of OPTION_NAMES) {
    const value = values.get(name)
    config[name] = value ? readValue(name, value.value, value.label) : OPTIONS[name].default
    origins[name] = value?.origin ?? 'default'
  }
  return {
    config: validate(insertPasswords(config as Config)),
    origins: origins as Record<OptionName, OptionOrigin>,
    sources: parseListedSources(sources, file?.name ?? ''),
    rules: parseListedRules(rules, file?.name ?? ''),
  }
}

/** The defaults. */
export function defaultConfig(): Config {
  return readConfig({ flags: {}, environment: {} }).config
}

function readValue(name: OptionName, text: string, label: string): unknown {
  const { kind, isSecret } = OPTIONS[name] as unknown as Option<unknown>
  const value = kind.parse(text)
  if (value === undefined) {
    // In an unescaped address the end of the password is unknown, so the value is not shown.
    const formatted =
      isSecret && (kind.format === secret.format || text.includes('@')) ? 'that' : `"${withoutCredentials(text)}"`
    const advice =
      isSecret && text.includes('@') ? '; escape / ? # and @ in passwords, or use the separate password setting' : ''
    throw new ConfigError(`${label} cannot be ${formatted}`, `expected ${kind.expected}${advice}`)
  }
  return value
}

/** Reads a secret from a file, without its final line break. */
function readSecretFile(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`cannot read ${path}, the file in ${key} (${code})`, 'check the path and its permissions')
  }
}

function insertPasswords(config: Config): Config {
  return {
    ...config,
    store: insertPassword(config.store, config.storePassword, '--store'),
    queue: config.queue
      .split(',')
      .map((value) => insertPassword(value.trim(), config.queuePassword, '--queue'))
      .join(','),
  }
}

function insertPassword(address: string, values: string, flag: string): string {
  if (values === '') return address
  const url = URL.parse(address)
  if (!url?.username)
    throw new ConfigError(`${flag}-password is set, but ${flag} has no user`, 'add one, as in scheme://user@host')
  url.password = encodeURIComponent(values)
  return url.href
}

function validate(config: Config): Config {
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
  if (config.oidcIssuer && !config.oidcClientId)
    throw new ConfigError(
      '--oidc-issuer needs --oidc-client-id',
      'register Freshet at the provider, and set its client id',
    )
  if (config.oidcOnly && !config.oidcIssuer)
    throw new ConfigError('--oidc-only needs --oidc-issuer', 'set the issuer, or users could not sign in')
  if (config.proxyUserHeader && config.trustProxy.length === 0)
    throw new ConfigError(
      '--proxy-user-header needs --trust-proxy',
      'set --trust-proxy to the address of the proxy: the header is believed from nobody else',
    )
  if (config.copies === 'verified' && config.copyThreshold > 1)
    throw new ConfigError(
      `--copy-threshold cannot be ${config.copyThreshold} where copies are verified`,
      'give a similarity from 0 to 1, or use --copies simhash, which takes distances',
    )
  return config
}

/** Settings of version 0.1 that were renamed. */
const RENAMED: Readonly<Record<string, OptionName>> = {
  library: 'contentStore',
  person: 'user',
  knownBy: 'dedupeBy',
  hub: 'publishHub',
  maxPages: 'maxPagesSize',
  archiveFile: 'archiveFileSize',
}

function findOption(spelling: (name: string) => string, key: string, message: string): OptionName {
  const name = OPTION_NAMES.find((value) => spelling(value) === key)
  if (name) return name
  const oldName = Object.keys(RENAMED).find((value) => spelling(value) === key)
  if (oldName) throw new ConfigError(message, `it is called ${spelling(RENAMED[oldName] ?? '')} now`)
  const suggestion = OPTION_NAMES.map(spelling).find((value) => value.includes(key) || key.includes(value))
  throw new ConfigError(
    message,
    suggestion ? `did you mean ${suggestion}?` : `known names: ${OPTION_NAMES.map(spelling).join(', ')}`,
  )
}

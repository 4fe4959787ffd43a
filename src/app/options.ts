/**
 * The types of option values: how each is parsed, formatted, and described in error messages. Flags, environment and file all provide
 * text, so each type is parsed in one place.
 */
import { isIP } from 'node:net'
import {
  ACCESS_SCOPES,
  formatDuration,
  formatSize,
  parseDuration,
  parseRate,
  parseSize,
  withoutCredentials,
} from '../model/index.ts'
import { strategies, strategyError } from '../scheduling/index.ts'
import type { GroupRole } from '../server/index.ts'
import { formatContentStore, isContentStoreUrl } from './content-store.ts'
import { formatStore, isServer } from './store-at.ts'

export interface OptionType<T> {
  /** The valid values, for error messages and docs. */
  expected: string
  /** Placeholder of the value in `--help`. */
  placeholder: string
  /** Returns undefined for invalid values. */
  parse(text: string): T | undefined
  format(value: T): string
  /** The value of the flag without an argument. */
  bareValue?: string
}

export const text: OptionType<string> = {
  expected: 'some text',
  placeholder: 'text',
  parse: (value) => value,
  format: (value) => value,
}

export const yesOrNo: OptionType<boolean> = {
  expected: 'yes or no',
  placeholder: 'yes|no',
  parse: (value) => (/^(yes|true|on)$/i.test(value) ? true : /^(no|false|off)$/i.test(value) ? false : undefined),
  format: (value) => (value ? 'yes' : 'no'),
  bareValue: 'yes',
}

export const host: OptionType<string> = {
  ...text,
  expected: 'a host name or IP address of this machine',
  placeholder: 'host',
  parse: nonEmpty,
}

/** Rejects addresses of other servers, and SQLite's `:memory:` and `file:`: they would silently create a file of that name. */
export const storeFile: OptionType<string> = {
  ...text,
  expected:
    'the path of an SQLite file (with ./ before a name with a colon), or postgres://user:password@host:port/database',
  placeholder: 'file',
  parse: (value) => {
    if (isServer(value)) return isAddress(value) ? value : undefined
    return value.trim() === '' || /^([a-z][a-z\d+.-]+)?:/i.test(value.trim()) ? undefined : value
  },
  format: formatStore,
}

export const contentStoreAddress: OptionType<string> = {
  expected: 'cassandra://host:9042/keyspace, with several hosts comma-separated, or nothing',
  placeholder: 'url',
  parse: (value) => (value === '' || (isContentStoreUrl(value) && isLoginEscaped(value)) ? value : undefined),
  format: formatContentStore,
}

/** The queue of a fleet: servers of one NATS cluster, comma-separated. */
export const queueAddress: OptionType<string> = {
  expected: 'nats://host:4222 or tls://name:password@host:4222, comma-separated, or nothing',
  placeholder: 'url',
  parse: (value) => {
    const all = value.split(',').map((one) => one.trim())
    return value.trim() === '' || all.every((one) => /^(nats|tls):\/\//i.test(one) && isAddress(one))
      ? value.trim()
      : undefined
  },
  format: (value) =>
    value
      .split(',')
      .map((one) => withoutCredentials(one.trim()))
      .join(','),
}

/** Names that are valid in NATS subjects. */
export const natsName: OptionType<string> = {
  ...text,
  expected: 'up to 60 letters, digits, - and _',
  placeholder: 'name',
  parse: (value) => (/^[\w-]{1,60}$/.test(value) ? value : undefined),
}

/** A NATS name, or nothing. */
export const optionalName: OptionType<string> = {
  ...natsName,
  expected: `${natsName.expected}, or nothing`,
  parse: (value) => (value === '' ? value : natsName.parse(value)),
}

export const folder: OptionType<string> = { ...text, expected: 'a folder, or nothing', placeholder: 'folder' }

export const file: OptionType<string> = { ...text, expected: 'a file, or nothing', placeholder: 'file' }

/** A secret; its value is never shown. */
export const secret: OptionType<string> = {
  expected: 'a token',
  placeholder: 'token',
  parse: (value) => (/^[\x21-\x7e]{0,500}$/.test(value) ? value : undefined),
  format: (value) => (value === '' ? '' : '(set)'),
}

export const listenAddress: OptionType<string> = {
  ...text,
  expected: 'host:port, such as 0.0.0.0:8081, a port on this machine only, or nothing',
  placeholder: 'host:port',
  parse: (value) => (/^$|^([\w.-]+:|\[[\da-f:]+\]:)?\d{1,5}$/i.test(value) ? value : undefined),
}

export const password: OptionType<string> = {
  expected: 'a password on one line',
  placeholder: 'password',
  parse: (value) => (/^[^\0\r\n]{0,1000}$/.test(value) ? value : undefined),
  format: secret.format,
}

function isAddress(value: string): boolean {
  return URL.canParse(value) && isLoginEscaped(value)
}

/** An @ after a / ? or # means that these were not escaped in the password. */
function isLoginEscaped(value: string): boolean {
  return !/[/?#]/.test(value.slice(value.indexOf('//') + 2, Math.max(0, value.lastIndexOf('@'))))
}

/** A URL, or the name of a login. */
export const serverName: OptionType<string> = {
  expected: 'a URL that starts with http:// or https://, the name of a login, or nothing',
  placeholder: 'url|name',
  parse: (value) =>
    value === '' || /^[\w.-]{1,64}$/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value))
      ? value
      : undefined,
  format: withoutCredentials,
}

export const webAddressOption: OptionType<string> = {
  expected: 'a URL that starts with http:// or https://, or nothing',
  placeholder: 'url',
  parse: (value) => (value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)) ? value : undefined),
  format: withoutCredentials, // a proxy may have a password
}

/** A sender of e-mail. */
export const mailSender: OptionType<string> = {
  expected: 'an e-mail address, also as Name <address>, or nothing',
  placeholder: 'address',
  parse: (value) => (/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)?$/.test(value) ? value : undefined),
  format: (value) => value,
}

export const durationOption = (min: number, max: number): OptionType<number> => ({
  expected: `a duration such as 90s, 10m, 1h30m or 31d, from ${formatDuration(min)} to ${formatDuration(max)}`,
  placeholder: 'time',
  parse: (value) => within(parseDuration(value), min, max),
  format: formatDuration,
})

export const size = (min: number, max: number): OptionType<number> => ({
  expected: `a size such as 500kB or 10MB, from ${formatSize(min)} to ${formatSize(max)}`,
  placeholder: 'size',
  parse: (value) => within(parseSize(value), min, max),
  format: formatSize,
})

export const integerOption = (min: number, max: number): OptionType<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  placeholder: 'n',
  parse: (value) => (/^\d+$/.test(value.trim()) ? within(Number(value), min, max) : undefined),
  format: String,
})

export const decimal = (min: number, max: number): OptionType<number> => ({
  expected: `a number from ${min} to ${max}`,
  placeholder: 'n',
  parse: (value) => (/^\d+(\.\d+)?$/.test(value.trim()) ? within(Number(value), min, max) : undefined),
  format: String,
})

export const oneOfOption = <const T extends string>(...choices: T[]): OptionType<T> => ({
  expected: `one of: ${choices.join(', ')}`,
  placeholder: choices.length <= 4 ? choices.join('|') : 'name',
  parse: (value) => choices.find((choice) => choice === value),
  format: (value) => value,
})

/** 100,000 polls per second. */
const MAX_POLLS_PER_DAY = 8_640_000_000

/** Polls per day; `200/h` is 4,800. */
export const pollRate: OptionType<number | 'auto'> = {
  expected: 'auto, or a rate such as 5000/d or 200/h',
  placeholder: 'polls',
  parse: (value) => {
    if (value.trim() === 'auto') return 'auto'
    return within(parseRate(value), 1, MAX_POLLS_PER_DAY)
  },
  format: (value) => (value === 'auto' ? value : `${value}/d`),
}

export const strategyName: OptionType<string> = {
  expected: `one of: ${Object.keys(strategies).join(', ')}; with optional settings, as in fixed:15m`,
  placeholder: 'name',
  parse: (value) => (strategyError(value) ? undefined : value),
  format: (value) => value,
}

export const networks = listOf('networks such as 10.0.0.0/8 or ::1/128', 'networks', isNetwork)
export const nameServers = listOf(
  'IP addresses such as 9.9.9.9, with an optional port, as in 127.0.0.1:5353 or [::1]:5353',
  'addresses',
  isNameServer,
)
export const hosts = listOf(
  'host names or IP addresses',
  'hosts',
  (one) => isIP(one) > 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(one),
)

/** The name of an HTTP header, or nothing. */
export const headerName: OptionType<string> = {
  ...text,
  expected: 'the name of a header such as Remote-User, or nothing',
  placeholder: 'name',
  parse: (value) => (/^[a-z0-9-]{0,100}$/i.test(value.trim()) ? value.trim() : undefined),
}

/** `group=scope`, comma-separated. */
export const groupRoles: OptionType<readonly GroupRole[]> = {
  expected: 'groups with read, write or admin, such as freshet-admins=admin,*=read, or nothing',
  placeholder: 'roles',
  parse: (value) => {
    const parts = value.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []))
    const roles = parts.flatMap((part) => {
      const [, group = '', name] = /^(.+?)\s*=\s*(\w+)$/.exec(part) ?? []
      const scope = ACCESS_SCOPES.find((one) => one === name)
      return scope && group ? [{ group, scope }] : []
    })
    return roles.length === parts.length ? roles : undefined
  },
  format: (value) => value.map(({ group, scope }) => `${group}=${scope}`).join(','),
}

function listOf(
  description: string,
  placeholder: string,
  isOne: (value: string) => boolean,
): OptionType<readonly string[]> {
  return {
    expected: `${description}, comma-separated, or nothing`,
    placeholder,
    parse: (value) => {
      const list = value.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []))
      return list.every(isOne) ? list : undefined
    },
    format: (value) => value.join(','),
  }
}

function nonEmpty(value: string): string | undefined {
  return value.trim() === '' ? undefined : value
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined
}

/** IPv6 addresses have brackets if a port follows. */
function isNameServer(value: string): boolean {
  if (isIP(value) > 0) return true
  const [, ipv6, ipv4, port = '53'] = /^(?:\[([^\]%]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(value) ?? []
  const isAddress = ipv6 === undefined ? isIP(ipv4 ?? '') === 4 : isIP(ipv6) === 6
  return isAddress && Number(port) >= 1 && Number(port) <= 65535
}

function isNetwork(value: string): boolean {
  const [address = '', bits = '', ...more] = value.split('/')
  const version = isIP(address)
  return more.length === 0 && version > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

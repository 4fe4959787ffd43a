/**
 * The types of option values: how each is parsed, shown, and described in error messages. Flags, environment and file all provide
 * text, so each type is parsed in one place.
 */
import { isIP } from 'node:net'
import { formatDuration, formatSize, parseDuration, parseRate, parseSize, withoutCredentials } from '../model/index.ts'
import { strategies, troubleWithStrategy } from '../scheduling/index.ts'
import { isLibrary, shownLibrary } from './library.ts'
import { isServer, shownStore } from './store-at.ts'

export interface Kind<T> {
  /** What a right value looks like, for messages and `--help`. */
  expected: string
  /** What stands in for the value in `--help`. */
  placeholder: string
  /** Undefined: not one of ours. */
  read(text: string): T | undefined
  show(value: T): string
  /** What the flag means when it stands alone. */
  alone?: string
}

export const text: Kind<string> = {
  expected: 'some text',
  placeholder: 'text',
  read: (given) => given,
  show: (value) => value,
}

export const yesOrNo: Kind<boolean> = {
  expected: 'yes or no',
  placeholder: 'yes|no',
  read: (given) => (/^(yes|true|on)$/i.test(given) ? true : /^(no|false|off)$/i.test(given) ? false : undefined),
  show: (value) => (value ? 'yes' : 'no'),
  alone: 'yes',
}

export const host: Kind<string> = {
  ...text,
  expected: 'a host name or IP address of this machine',
  placeholder: 'host',
  read: nonEmpty,
}

/** An address of some other server, and SQLite's own words (`:memory:`, `file:`), would silently make a file of that name. */
export const storeFile: Kind<string> = {
  ...text,
  expected:
    'the path of an SQLite file (with ./ before a name with a colon), or postgres://user:password@host:port/database',
  placeholder: 'file',
  read: (given) => {
    if (isServer(given)) return isAddress(given) ? given : undefined
    return given.trim() === '' || /^([a-z][a-z\d+.-]+)?:/i.test(given.trim()) ? undefined : given
  },
  show: shownStore,
}

export const libraryAddress: Kind<string> = {
  expected: 'cassandra://host:9042/keyspace, with several hosts comma-separated, or nothing',
  placeholder: 'url',
  read: (given) => (given === '' || (isLibrary(given) && isLoginEscaped(given)) ? given : undefined),
  show: shownLibrary,
}

/** The queue of a fleet: servers of one NATS cluster, comma-separated. */
export const queueAddress: Kind<string> = {
  expected: 'nats://host:4222 or tls://name:password@host:4222, comma-separated, or nothing',
  placeholder: 'url',
  read: (given) => {
    const all = given.split(',').map((one) => one.trim())
    return given.trim() === '' || all.every((one) => /^(nats|tls):\/\//i.test(one) && isAddress(one))
      ? given.trim()
      : undefined
  },
  show: (value) =>
    value
      .split(',')
      .map((one) => withoutCredentials(one.trim()))
      .join(','),
}

/** As NATS has them in its subjects. */
export const plainName: Kind<string> = {
  ...text,
  expected: 'up to 60 letters, digits, - and _',
  placeholder: 'name',
  read: (given) => (/^[\w-]{1,60}$/.test(given) ? given : undefined),
}

/** The same, or nothing. */
export const perhapsName: Kind<string> = {
  ...plainName,
  expected: `${plainName.expected}, or nothing`,
  read: (given) => (given === '' ? given : plainName.read(given)),
}

export const folder: Kind<string> = { ...text, expected: 'a folder, or nothing', placeholder: 'folder' }

export const file: Kind<string> = { ...text, expected: 'a file, or nothing', placeholder: 'file' }

/** It is never shown. */
export const secret: Kind<string> = {
  expected: 'a token',
  placeholder: 'token',
  read: (given) => (/^[\x21-\x7e]{0,500}$/.test(given) ? given : undefined),
  show: (value) => (value === '' ? '' : '(set)'),
}

export const listenAddress: Kind<string> = {
  ...text,
  expected: 'host:port, such as 0.0.0.0:8081, a port on this machine only, or nothing',
  placeholder: 'host:port',
  read: (given) => (/^$|^([\w.-]+:|\[[\da-f:]+\]:)?\d{1,5}$/i.test(given) ? given : undefined),
}

export const password: Kind<string> = {
  expected: 'a password on one line',
  placeholder: 'password',
  read: (given) => (/^[^\0\r\n]{0,1000}$/.test(given) ? given : undefined),
  show: secret.show,
}

function isAddress(given: string): boolean {
  return URL.canParse(given) && isLoginEscaped(given)
}

/** An @ behind the host is what is left of a password in which / ? or # were not escaped. */
function isLoginEscaped(given: string): boolean {
  return !/[/?#]/.test(given.slice(given.indexOf('//') + 2, Math.max(0, given.lastIndexOf('@'))))
}

/** An address, or what a login was called. */
export const serverName: Kind<string> = {
  expected: 'a URL that starts with http:// or https://, the name of a login, or nothing',
  placeholder: 'url|name',
  read: (given) =>
    given === '' || /^[\w.-]{1,64}$/.test(given) || (/^https?:\/\//i.test(given) && URL.canParse(given))
      ? given
      : undefined,
  show: withoutCredentials,
}

export const webAddressOption: Kind<string> = {
  expected: 'a URL that starts with http:// or https://, or nothing',
  placeholder: 'url',
  read: (given) => (given === '' || (/^https?:\/\//i.test(given) && URL.canParse(given)) ? given : undefined),
  show: withoutCredentials, // a proxy may have a password
}

export const durationOption = (min: number, max: number): Kind<number> => ({
  expected: `a duration such as 90s, 10m, 1h30m or 31d, from ${formatDuration(min)} to ${formatDuration(max)}`,
  placeholder: 'time',
  read: (given) => within(parseDuration(given), min, max),
  show: formatDuration,
})

export const size = (min: number, max: number): Kind<number> => ({
  expected: `a size such as 500kB or 10MB, from ${formatSize(min)} to ${formatSize(max)}`,
  placeholder: 'size',
  read: (given) => within(parseSize(given), min, max),
  show: formatSize,
})

export const wholeOption = (min: number, max: number): Kind<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  placeholder: 'n',
  read: (given) => (/^\d+$/.test(given.trim()) ? within(Number(given), min, max) : undefined),
  show: String,
})

export const decimal = (min: number, max: number): Kind<number> => ({
  expected: `a number from ${min} to ${max}`,
  placeholder: 'n',
  read: (given) => (/^\d+(\.\d+)?$/.test(given.trim()) ? within(Number(given), min, max) : undefined),
  show: String,
})

export const oneOfOption = <const T extends string>(...choices: T[]): Kind<T> => ({
  expected: `one of: ${choices.join(', ')}`,
  placeholder: choices.length <= 4 ? choices.join('|') : 'name',
  read: (given) => choices.find((choice) => choice === given),
  show: (value) => value,
})

/** A hundred thousand polls a second are more than anybody has to spend. */
const MOST_POLLS_A_DAY = 8_640_000_000

/** Polls a day; `200/h` is 4,800. */
export const pollRate: Kind<number | 'auto'> = {
  expected: 'auto, or a rate such as 5000/d or 200/h',
  placeholder: 'polls',
  read: (given) => {
    if (given.trim() === 'auto') return 'auto'
    return within(parseRate(given), 1, MOST_POLLS_A_DAY)
  },
  show: (value) => (value === 'auto' ? value : `${value}/d`),
}

export const strategyName: Kind<string> = {
  expected: `one of: ${Object.keys(strategies).join(', ')}; with optional settings, as in fixed:15m`,
  placeholder: 'name',
  read: (given) => (troubleWithStrategy(given) ? undefined : given),
  show: (value) => value,
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

function listOf(what: string, placeholder: string, isOne: (given: string) => boolean): Kind<readonly string[]> {
  return {
    expected: `${what}, comma-separated, or nothing`,
    placeholder,
    read: (given) => {
      const list = given.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []))
      return list.every(isOne) ? list : undefined
    },
    show: (value) => value.join(','),
  }
}

function nonEmpty(given: string): string | undefined {
  return given.trim() === '' ? undefined : given
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined
}

/** An address of version 6 has brackets where a port follows it. */
function isNameServer(given: string): boolean {
  if (isIP(given) > 0) return true
  const [, six, four, port = '53'] = /^(?:\[([^\]%]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(given) ?? []
  const isAddress = six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6
  return isAddress && Number(port) >= 1 && Number(port) <= 65535
}

function isNetwork(given: string): boolean {
  const [address = '', bits = '', ...more] = given.split('/')
  const version = isIP(address)
  return more.length === 0 && version > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

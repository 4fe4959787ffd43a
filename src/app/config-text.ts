/** How the text of a setting is got: from freshet.toml, or from a file with a secret; and what is thrown where it cannot be. */
import { readFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { HintedError } from '../model/index.ts'

/** A setting that is unknown or has a wrong value; the hint is what was expected. */
export class ConfigError extends HintedError {}

/** What a file of secrets holds: its text without the line break at its end. */
export function secretIn(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`the file that ${key} names cannot be read: ${path} (${code})`, 'see that it is there')
  }
}

/** The address with the password of its user put in, whatever characters that has. */
function withPassword(address: string, given: string, flag: string): string {
  if (given === '') return address
  const url = URL.parse(address)
  if (!url?.username)
    throw new ConfigError(`${flag}-password is set, and ${flag} names no user`, 'name one, as in scheme://user@host')
  url.password = encodeURIComponent(given)
  return url.href
}

export function tomlTable({ name, text: content }: { name: string; text: string }): Record<string, unknown> {
  try {
    return parseToml(content)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new ConfigError(`${name} cannot be read: ${reason}`, 'it is a TOML file with one "name = value" a line')
  }
}

/** A table is no value of ours, and has no text of its own. */
export function tomlText(value: unknown): string {
  if (Array.isArray(value)) return value.map(tomlText).join(',')
  return typeof value === 'object' && !(value instanceof Date) ? JSON.stringify(value) : String(value)
}

/** With the passwords that are given on their own put into the addresses. */
export function withPasswords<C extends Record<'store' | 'storePassword' | 'queue' | 'queuePassword', string>>(
  config: C,
): C {
  return {
    ...config,
    store: withPassword(config.store, config.storePassword, '--store'),
    queue: config.queue
      .split(',')
      .map((one) => withPassword(one.trim(), config.queuePassword, '--queue'))
      .join(','),
  }
}

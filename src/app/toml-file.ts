/** Parses freshet.toml, and converts values to the text that a flag would have. */
import { parse as parseToml } from 'smol-toml'
import { ConfigError } from './config-error.ts'

export function tomlTable({ name, text: content }: { name: string; text: string }): Record<string, unknown> {
  try {
    return parseToml(content)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new ConfigError(`${name} cannot be read: ${reason}`, 'write it as TOML, with one "name = value" per line')
  }
}

/** A table is not a valid setting; as JSON it is readable in the error message. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return value.map(settingText).join(',')
  return typeof value === 'object' && !(value instanceof Date) ? JSON.stringify(value) : String(value)
}

/** Reads values of unknown JSON: anything of another type counts as missing. */
import type { Instant } from '../../model/index.ts'

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectIn(from: JsonObject, name: string): JsonObject {
  const value = from[name]
  return isObject(value) ? value : {}
}

export function listIn(from: JsonObject, name: string): unknown[] {
  const value = from[name]
  return Array.isArray(value) ? value : []
}

export function objectsIn(from: JsonObject, name: string): JsonObject[] {
  return listIn(from, name).filter(isObject)
}

export function stringIn(from: JsonObject, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = from[name]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  }
  return undefined
}

export function stringsIn(from: JsonObject, name: string): string[] {
  return listIn(from, name).filter((value) => typeof value === 'string')
}

/** Programs write true, "true", 1, "1" or "t". */
export function flagIn(from: JsonObject, name: string): boolean | undefined {
  const value = from[name]
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  return typeof value === 'string' && value !== '' ? /^(?:true|t|yes|1)$/i.test(value) : undefined
}

/** Numbers above it are milliseconds: as seconds it is the year 5138, as milliseconds 1973. */
const FIRST_MILLISECONDS = 1e11

/** A date as a text, or as a number of seconds or milliseconds. */
export function dateIn(from: JsonObject, ...names: string[]): Instant | undefined {
  for (const name of names) {
    const at = instantOf(from[name])
    if (at !== undefined) return at
  }
  return undefined
}

export function instantOf(value: unknown): Instant | undefined {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
  if (Number.isFinite(number)) return number > 0 ? (number < FIRST_MILLISECONDS ? number * 1000 : number) : undefined
  if (typeof value !== 'string' || value.length > 100) return undefined
  // Dates without a time zone are in UTC in all these exports.
  const text = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value) ? `${value.replace(' ', 'T')}Z` : value
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

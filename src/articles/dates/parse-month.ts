/** Parses a line that consists of a month and a year, as on monthly magazines: "November 2015", "Nov. 2015", "2015年11月". */
import { monthNamed } from '../../html/index.ts'
import { westernDigits } from './digits.ts'
import type { DateFound } from './parse-page-date.ts'

const MAX_LENGTH = 40
const NAMED = /^([^\s\d]{3,15}?)\.?,?\s(?:de\s|del\s|do\s|of\s)?((?:19|20)\d\d)$/
const NUMBERED = /^((?:19|20)\d\d)\s?[年년]\s?(1[0-2]|0?[1-9])\s?[月월]$/

/** Midnight UTC of its first day. */
export function parseMonth(line: string): DateFound | undefined {
  if (line.length > MAX_LENGTH) return undefined
  const text = westernDigits(line).trim()
  const numbered = NUMBERED.exec(text)
  if (numbered) return first(Number(numbered[1]), Number(numbered[2]))
  const [, name, year] = NAMED.exec(text) ?? []
  const month = name === undefined ? undefined : monthNamed(name)
  return month && !month.persian ? first(Number(year), month.number) : undefined
}

function first(year: number, month: number): DateFound | undefined {
  if (year < 1990) return undefined
  return { at: Date.UTC(year, month - 1), iso: `${year}-${String(month).padStart(2, '0')}`, dateOnly: true }
}

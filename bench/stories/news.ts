/**
 * News for bench/stories.ts, from a folder or generated. Labelled news states the story of each entry (`story`); all other news is
 * background, from other years, and is shifted by whole weeks, or dated at random, so that it surrounds the labelled news and dates give
 * nothing away.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Item } from '../../src/dedup/index.ts'
import { createChance, createProse } from '../generated-prose.ts'

export interface News extends Item {
  summary: string
  /** The labelled event, if any. */
  story?: string
}

interface Line {
  set: string
  title: string
  summary?: string
  published?: string
  story?: string
}

const DAY = 86_400_000
const WEEK = 7 * DAY
/** Undated news is spread over this time. */
const SPREAD_MS = 5 * WEEK

/** `sets`: which of the collections to read. */
export function newsOf(folder: string, sets: readonly string[]): News[] {
  const lines = linesOf(folder).filter(({ set }) => sets.includes(set))
  const labelled = lines.flatMap(({ story, published }) => (story && published ? [Date.parse(published)] : []))
  const middle = (Math.min(...labelled) + Math.max(...labelled)) / 2
  const chance = createChance(11)
  const shifts = new Map(sets.map((set) => [set, shiftTo(middle, datesOf(lines, set))]))
  return lines.map(({ set, title, summary = '', published, story }, i) => {
    const shift = story ? 0 : shifts.get(set)!
    const at = published ? Date.parse(published) + shift : middle + (chance() - 0.5) * SPREAD_MS
    return { id: i + 1, at: Math.round(at), title, summary, ...(story && { story }) }
  })
}

function linesOf(folder: string): Line[] {
  const packed = join(folder, 'items.ndjson.gz')
  const text = existsSync(packed) ? gunzipSync(readFileSync(packed)).toString() : plainLines(folder)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function plainLines(folder: string): string {
  return readFileSync(join(folder, 'items.ndjson'), 'utf8')
}

function datesOf(lines: readonly Line[], set: string): number[] {
  return lines.flatMap((line) => (line.set === set && line.published ? [Date.parse(line.published)] : []))
}

/** Whole weeks, so that weekdays are preserved. */
function shiftTo(middle: number, dates: readonly number[]): number {
  if (dates.length === 0) return 0
  const own = dates.reduce((sum, at) => sum + at, 0) / dates.length
  return Math.round((middle - own) / WEEK) * WEEK
}

/**
 * Events, each with names of its own and words of its field, which it shares with a hundred others ("results", for example). Half of all
 * entries are about an event that no other entry is about.
 */
export function inventedNews(entries: number, seed = 3): News[] {
  const prose = createProse(seed)
  const { chance } = prose
  const some = <One>(all: readonly One[]): One => all[Math.floor(chance() * all.length)]!
  const fields = Array.from({ length: 40 }, () => prose.words(8).toLowerCase().split(' '))
  const start = Date.UTC(2026, 2, 1)
  const news: News[] = []
  for (let event = 1; news.length < entries; event++) {
    const own = [`${name(chance)}`, `${name(chance)}`, `${name(chance)}`, String(Math.floor(chance() * 900) + 10)]
    const field = some(fields)
    const facts = Array.from({ length: 8 }, () => name(chance))
    const tellings = chance() < 0.7 ? 1 : Math.ceil(40 ** chance())
    const at = start + chance() * 4 * WEEK
    for (let i = 0; i < tellings; i++) {
      const names = own.filter(() => chance() < 0.7)
      const words = [...(names.length ? names : own), some(field), some(field), ...prose.words(3).split(' ')]
      const title = words.sort(() => chance() - 0.5).join(' ')
      news.push({
        id: 0,
        at: Math.round(at + chance() * DAY),
        title,
        summary: `${prose.words(12)} ${facts.filter(() => chance() < 0.6).join(' ')}`,
        story: `event ${event}`,
      })
    }
  }
  news.length = entries
  return news.sort((a, b) => a.at - b.at).map((one, i) => ({ ...one, id: i + 1 }))
}

function name(chance: () => number): string {
  const letters = Array.from({ length: 7 }, (_, i) => (i % 2 ? 'aeiou' : 'bdfgklmnprstv'))
  const word = letters.map((of) => of[Math.floor(chance() * of.length)]).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

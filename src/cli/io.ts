/**
 * The terminal as the commands see it: lines out, words for dates and lengths, and what a pipe must not get. Whatever a
 * command prints may hold text of strangers, so all of it goes through one wall, which leaves nothing that a terminal obeys.
 */
import {
  DAY,
  formatDuration,
  type Instant,
  jsonText,
  printable,
  printableLines,
  withoutCredentials,
} from '../model/index.ts'

/** What the program is given: nothing is made safe yet. */
export interface Terminal {
  /** What was asked for. */
  out(line: string): void
  /** A part of a document, of which there may be many: waits for a slow reader, and is not touched unless people look at it. */
  outWhenReady(line: string): Promise<void>
  /** What a person should know besides; never among what a pipe reads. */
  note(line: string): void
  stdin(): AsyncIterable<Uint8Array>
  /** What a person types in answer; hidden: without showing it. Undefined where nobody is there to be asked. */
  ask?(question: string, isHidden: boolean): Promise<string | undefined>
  /** The whole terminal, for what is drawn again and again; absent where the output is no terminal. */
  openScreen?(): Screen
  environment: Record<string, string | undefined>
  /** Columns of the terminal; undefined where the output is no terminal. */
  columns: number | undefined
  /** Progress is drawn on standard error, when that is a terminal. */
  drawsProgress: boolean
  now(): Instant
  /** Aborts at the first SIGINT or SIGTERM. */
  interrupted: AbortSignal
}

export interface Screen {
  size(): { columns: number; rows: number }
  /** From the top; the first line in bold. */
  draw(lines: string[]): void
  onResize(heard: () => void): void
  /** Each key as it is pressed; Ctrl-C is one of them. */
  onKey(heard: (key: string) => void): void
  /** As it was before. */
  close(): void
}

export interface Io extends Terminal {
  /** A line in bold, where the terminal can show it. */
  headline(line: string): void
}

export function createIo(terminal: Terminal): Io {
  const { out, outWhenReady, note, columns, environment, openScreen } = terminal
  const isWatched = columns !== undefined
  const bold =
    isWatched && !environment.NO_COLOR ? (line: string) => `\u001b[1m${line}\u001b[0m` : (line: string) => line
  return {
    ...terminal,
    ...(openScreen && { openScreen: () => safeScreen(openScreen()) }),
    out: (line) => out(printableLines(line)),
    outWhenReady: (line) => outWhenReady(isWatched ? printableLines(line) : line),
    note: (line) => note(printableLines(withoutCredentials(line))), // it may quote what somebody typed
    headline: (line) => out(bold(printable(line))),
  }
}

/** Lines that a terminal obeys nothing of, none wider than it is, and no more than it has. */
function safeScreen(screen: Screen): Screen {
  return {
    ...screen,
    draw(lines) {
      const { columns, rows } = screen.size()
      screen.draw(lines.slice(0, rows).map((line) => cutTo(printable(line), columns)))
    },
  }
}

export type Column<Row> = {
  title: string
  of: (row: Row) => string /** Gives way when the terminal is narrow. */
  gives?: boolean
  right?: boolean
}

const NARROWEST = 12

/** Aligned columns. On a terminal, lines are cut to its width; in a pipe nothing is. */
export function table<Row>(io: Io, rows: Row[], columns: Column<Row>[]): void {
  const cells = rows.map((row) => columns.map((column) => plainLine(column.of(row))))
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...cells.map((row) => widthOf(row[i] ?? ''))))
  if (io.columns !== undefined)
    narrow(
      widths,
      columns.map((column) => column.gives === true),
      io.columns,
    )
  const line = (row: string[]) =>
    row
      .map((cell, i) => fitted(cell, widths[i] ?? 0, columns[i]?.right === true))
      .join('  ')
      .trimEnd()
  io.out(line(columns.map(({ title }) => title)))
  for (const row of cells) io.out(line(row))
}

/** As one line of JSON. */
export function printJson(io: Io, value: unknown, replacer?: (name: string, value: unknown) => unknown): void {
  io.out(jsonText(value, replacer))
}

/** One JSON object a line. */
export function jsonLines(io: Io, rows: Iterable<unknown>): void {
  for (const row of rows) printJson(io, row)
}

/** Who counts in weeks looks for a date. */
const LONG_AGO_MS = 14 * DAY
const YEAR_MS = 366 * DAY

/** `3m ago`, `in 2h10m`, `now`; what is long ago, or far ahead, as its date. */
export function timeAgo(at: string | Instant | undefined, now: Instant): string {
  if (at === undefined) return '-'
  const ms = (typeof at === 'string' ? Date.parse(at) : at) - now
  if (Math.abs(ms) < 1000) return 'now'
  if (ms > 1000 * YEAR_MS) return 'never'
  if (ms < -LONG_AGO_MS || ms > YEAR_MS) return new Date(now + ms).toISOString().slice(0, 10)
  return ms > 0 ? `in ${formatDuration(ms)}` : `${formatDuration(-ms)} ago`
}

/** Text from outside as one line, and no more. */
export function plainLine(text: string): string {
  return printable(text).trim()
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`
}

function narrow(widths: number[], gives: boolean[], room: number): void {
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2)
  while (total() > room) {
    let widest = -1
    for (const [i, width] of widths.entries())
      if (gives[i] && width > NARROWEST && width > (widths[widest] ?? 0)) widest = i
    if (widest < 0) return
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

function fitted(cell: string, width: number, right: boolean): string {
  const cut = widthOf(cell) > width ? `${cutTo(cell, width - 1)}…` : cell
  const padding = ' '.repeat(Math.max(0, width - widthOf(cut)))
  return right ? padding + cut : cut + padding
}

export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

/** Han, Kana and Hangul take two columns. */
export function letterWidth(letter: string): 1 | 2 {
  return isWide(letter) ? 2 : 1
}

function cutTo(text: string, width: number): string {
  let kept = ''
  let used = 0
  for (const letter of text) {
    used += letterWidth(letter)
    if (used > width) break
    kept += letter
  }
  return kept
}

function isWide(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0x1f300 && code <= 0x1faff) ||
      (code >= 0x20000 && code <= 0x3fffd))
  )
}

/**
 * The output of commands: lines, tables, JSON, and formatted dates. Output may contain untrusted text, so all of it passes through
 * `createIo`, which removes control characters and escape sequences.
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

/** The terminal or pipe, without any sanitizing. */
export interface Terminal {
  /** Writes a line of the result to standard output. */
  out(line: string): void
  /** Writes a part of a long document and waits for slow readers. The text is only sanitized on a terminal. */
  outWhenReady(line: string): Promise<void>
  /** Writes a message to standard error. */
  note(line: string): void
  stdin(): AsyncIterable<Uint8Array>
  /** Prompts the user; hidden input is not shown. Resolves to undefined without a terminal. */
  ask?(question: string, isHidden: boolean): Promise<string | undefined>
  /** Opens the full screen. Absent if the output is not a terminal. */
  openScreen?(): Screen
  environment: Record<string, string | undefined>
  /** Columns of the terminal. Undefined if the output is not a terminal. */
  columns: number | undefined
  /** Whether standard error is a terminal, so that progress bars can be drawn. */
  drawsProgress: boolean
  now(): Instant
  /** Aborts at the first SIGINT or SIGTERM. */
  interrupted: AbortSignal
}

export interface Screen {
  size(): { columns: number; rows: number }
  /** Draws lines from the top, the first one in bold. */
  draw(lines: string[]): void
  onResize(onEvent: () => void): void
  /** Reports each key, including Ctrl-C. */
  onKey(onEvent: (key: string) => void): void
  /** Restores the previous screen. */
  close(): void
}

export interface Io extends Terminal {
  /** Writes a line in bold, if the terminal supports it. */
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
    note: (line) => note(printableLines(withoutCredentials(line))), // it may quote an address with a password
    headline: (line) => out(bold(printable(line))),
  }
}

/** Sanitizes lines and cuts them to the size of the screen. */
function safeScreen(screen: Screen): Screen {
  return {
    ...screen,
    draw(lines) {
      const { columns, rows } = screen.size()
      screen.draw(lines.slice(0, rows).map((line) => truncateTo(printable(line), columns)))
    },
  }
}

export type Column<Row> = {
  title: string
  of: (row: Row) => string
  /** The column shrinks when the terminal is narrow. */
  shrinks?: boolean
  right?: boolean
}

const MIN_COLUMN_WIDTH = 12

/** Prints aligned columns. On a terminal, columns shrink to its width; in a pipe nothing is cut. */
export function printTable<Row>(io: Io, rows: Row[], columns: Column<Row>[]): void {
  const cells = rows.map((row) => columns.map((column) => plainLine(column.of(row))))
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...cells.map((row) => widthOf(row[i] ?? ''))))
  if (io.columns !== undefined)
    shrinkColumns(
      widths,
      columns.map((column) => column.shrinks === true),
      io.columns,
    )
  const line = (row: string[]) =>
    row
      .map((cell, i) => fitCell(cell, widths[i] ?? 0, columns[i]?.right === true))
      .join('  ')
      .trimEnd()
  io.out(line(columns.map(({ title }) => title)))
  for (const row of cells) io.out(line(row))
}

/** Prints one line of JSON. */
export function printJson(io: Io, value: unknown, replacer?: (name: string, value: unknown) => unknown): void {
  io.out(jsonText(value, replacer))
}

/** Prints one JSON object per line. */
export function printJsonLines(io: Io, rows: Iterable<unknown>): void {
  for (const row of rows) printJson(io, row)
}

/** Older dates are shown as dates. */
const MAX_RELATIVE_PAST_MS = 14 * DAY
const YEAR_MS = 366 * DAY

/** Formats as `3m ago`, `in 2h10m` or `now`; distant times as a date. */
export function timeAgo(at: string | Instant | undefined, now: Instant): string {
  if (at === undefined) return '-'
  const ms = (typeof at === 'string' ? Date.parse(at) : at) - now
  if (Math.abs(ms) < 1000) return 'now'
  if (ms > 1000 * YEAR_MS) return 'never'
  if (ms < -MAX_RELATIVE_PAST_MS || ms > YEAR_MS) return new Date(now + ms).toISOString().slice(0, 10)
  return ms > 0 ? `in ${formatDuration(ms)}` : `${formatDuration(-ms)} ago`
}

/** Removes control characters and line breaks from untrusted text. */
export function plainLine(text: string): string {
  return printable(text).trim()
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`
}

function shrinkColumns(widths: number[], canShrink: boolean[], available: number): void {
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2)
  while (total() > available) {
    let widest = -1
    for (const [i, width] of widths.entries())
      if (canShrink[i] && width > MIN_COLUMN_WIDTH && width > (widths[widest] ?? 0)) widest = i
    if (widest < 0) return
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

function fitCell(cell: string, width: number, right: boolean): string {
  const cut = widthOf(cell) > width ? `${truncateTo(cell, width - 1)}…` : cell
  const padding = ' '.repeat(Math.max(0, width - widthOf(cut)))
  return right ? padding + cut : cut + padding
}

export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

/** Han, kana and Hangul characters take two columns. */
export function letterWidth(letter: string): 1 | 2 {
  return isWide(letter) ? 2 : 1
}

function truncateTo(text: string, width: number): string {
  let result = ''
  let used = 0
  for (const letter of text) {
    used += letterWidth(letter)
    if (used > width) break
    result += letter
  }
  return result
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

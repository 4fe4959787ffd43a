/**
 * Trace files, and folders of CSV files in the form of TUDCS. Trace files, plain or packed (gzip, whatever their name says), read line by line, so that only what is kept takes room.
 * A file that breaks off gives what came before the break; a file in which nothing is a trace is given up soon.
 */
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { formatSize, HintedError, type Instant } from '../../model/index.ts'
import { type ReadLine, readTraceLine, type Trace } from './trace.ts'
import { createTudcsReader } from './tudcs.ts'

export interface Traces {
  traces: Trace[]
  files: TraceFile[]
  /** What was repaired or refused, and where; the first of them. */
  words: string[]
}

export interface TraceFile {
  file: string
  feeds: number
  repaired: number
  refused: number
}

const LONGEST_LINE_BYTES = 32_000_000
const LARGEST_FILE_BYTES = 4_000_000_000 // unpacked; a small packed file may hold any number of zeros
const MOST_ITEMS_IN_ALL = 100_000_000
const GIVEN_UP_AFTER = 100 // lines, none of which is a trace
const MOST_WORDS = 1000

export async function readTraces(files: string[], now: Instant, tell: (feeds: number) => void): Promise<Traces> {
  const read: Traces = { traces: [], files: [], words: [] }
  const names = new Map<string, number>()
  let items = 0
  const say = (words: string) => {
    if (read.words.length < MOST_WORDS) read.words.push(words)
  }

  for (const file of files) {
    const told: TraceFile = { file, feeds: 0, repaired: 0, refused: 0 }
    read.files.push(told)
    const keep = (trace: Trace, words: string[]) => {
      if (words.length > 0) told.repaired++
      told.feeds++
      items += trace.published.length
      if (items > MOST_ITEMS_IN_ALL)
        throw new HintedError(`more than ${MOST_ITEMS_IN_ALL} entries in all`, 'replay fewer files at a time')
      read.traces.push(trace)
      tell(read.traces.length)
    }
    for await (const csv of csvFilesIn(file)) {
      const { trace, words } = await tudcsIn(csv, now)
      if (words.length > 0) say(`${csv} ${words.join('; ')}${trace ? '' : '; refused'}`)
      if (!trace) told.refused++
      else keep({ ...trace, feed: unlike(trace.feed, names) }, words)
    }
    let number = 0
    for await (const line of (await isOfCsv(file)) ? [] : linesOf(file)) {
      if (line.kind === 'broken') {
        say(`${file}: ${line.words}; the ${told.feeds} feeds before that are used`)
        told.refused++
        break
      }
      number++
      if (line.kind === 'text' && line.text.trim() === '') continue
      const { trace, words } = line.kind === 'text' ? readTraceLine(line.text, now) : { words: [line.words] }
      const where = `${file}:${number}${trace?.feed ? ` (${trace.feed})` : ''}`
      if (words.length > 0) say(`${where} ${words.join('; ')}${trace ? '' : '; refused'}`)
      if (!trace) {
        told.refused++
        if (told.feeds === 0 && told.refused >= GIVEN_UP_AFTER) break
        continue
      }
      trace.feed = unlike(trace.feed || `${file}:${number}`, names)
      keep(trace, words)
    }
    if (told.feeds === 0)
      throw new HintedError(
        `${file} has no trace that can be used${read.words.length > 0 ? `: ${read.words.at(-1)}` : ''}`,
        'a trace file has one JSON object a line, with "feed", "window" and "times"; freshet lab village makes one. A folder has a CSV a feed',
      )
  }
  return read
}

const CSV = /\.csv(\.gz)?$/i

async function isOfCsv(file: string): Promise<boolean> {
  return CSV.test(file) || (await isFolder(file))
}

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isDirectory() === true
}

/** The file itself, or all that are in the folder, however deep; in the order of their names. */
async function* csvFilesIn(file: string): AsyncIterable<string> {
  if (!(await isFolder(file))) {
    if (CSV.test(file)) yield file
    return
  }
  const entries = await readdir(file, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
    if (entry.isDirectory()) yield* csvFilesIn(join(file, entry.name))
    else if (CSV.test(entry.name)) yield join(file, entry.name)
}

async function tudcsIn(file: string, now: Instant): Promise<ReadLine> {
  const reader = createTudcsReader(basename(file).replace(CSV, ''), now)
  for await (const line of linesOf(file)) {
    if (line.kind === 'broken') break
    if (line.kind === 'text') reader.take(line.text)
  }
  return reader.end()
}

/** The name itself the first time, a numbered one after that: chance is drawn by name. */
function unlike(name: string, names: Map<string, number>): string {
  const times = (names.get(name) ?? 0) + 1
  names.set(name, times)
  return times === 1 ? name : `${name} #${times}`
}

type Line = { kind: 'text'; text: string } | { kind: 'too-long'; words: string } | { kind: 'broken'; words: string }

async function* linesOf(file: string): AsyncIterable<Line> {
  const packed = await isPacked(file)
  const bytes = createReadStream(file)
  const plain = packed ? pipeline(bytes, createGunzip(), () => {}) : bytes
  let parts: Buffer[] = []
  let held = 0
  let total = 0
  const whole = (): Line => {
    const line: Line =
      held > LONGEST_LINE_BYTES
        ? { kind: 'too-long', words: `is longer than ${formatSize(LONGEST_LINE_BYTES)}` }
        : { kind: 'text', text: Buffer.concat(parts).toString('utf8') }
    parts = []
    held = 0
    return line
  }
  const hold = (part: Buffer) => {
    held += part.length
    if (held <= LONGEST_LINE_BYTES) parts.push(part)
    else parts = []
  }
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > LARGEST_FILE_BYTES) {
        yield { kind: 'broken', words: `is larger than ${formatSize(LARGEST_FILE_BYTES)}` }
        return
      }
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        hold(chunk.subarray(from, end))
        yield whole()
        from = end + 1
      }
      hold(chunk.subarray(from))
    }
    if (held > 0) yield whole()
  } catch (error) {
    yield { kind: 'broken', words: `breaks off (${error instanceof Error ? error.message : String(error)})` }
  } finally {
    bytes.destroy()
  }
}

async function isPacked(file: string): Promise<boolean> {
  try {
    const handle = await open(file)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
      return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
    } finally {
      await handle.close()
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HintedError(`${file} cannot be read: ${reason}`, 'give the path of a trace file', { cause })
  }
}

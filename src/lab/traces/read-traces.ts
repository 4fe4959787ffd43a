/**
 * Reads trace files, and folders of CSV files in the TUDCS format. Trace files may be plain or gzipped, regardless of
 * their names, and are read line by line, so that only used data takes memory. A truncated file yields the traces
 * before the truncation; a file without any trace is rejected early.
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
  /** The first messages about repaired and rejected lines, with locations. */
  messages: string[]
}

export interface TraceFile {
  file: string
  feeds: number
  repaired: number
  refused: number
}

const MAX_LINE_BYTES = 32_000_000
const MAX_FILE_BYTES = 4_000_000_000 // decompressed: a small compressed file may contain any number of zeros
const MAX_TOTAL_ITEMS = 100_000_000
const MAX_LINES_WITHOUT_TRACE = 100 // lines without a trace
const MAX_MESSAGES = 1000

export async function readTraces(files: string[], now: Instant, onProgress: (feeds: number) => void): Promise<Traces> {
  const read: Traces = { traces: [], files: [], messages: [] }
  const names = new Map<string, number>()
  let items = 0
  const report = (message: string) => {
    if (read.messages.length < MAX_MESSAGES) read.messages.push(message)
  }

  for (const file of files) {
    const traceFile: TraceFile = { file, feeds: 0, repaired: 0, refused: 0 }
    read.files.push(traceFile)
    const addTrace = (trace: Trace, lineMessages: string[]) => {
      if (lineMessages.length > 0) traceFile.repaired++
      traceFile.feeds++
      items += trace.published.length
      if (items > MAX_TOTAL_ITEMS)
        throw new HintedError(`more than ${MAX_TOTAL_ITEMS} entries in all`, 'replay fewer files at a time')
      read.traces.push(trace)
      onProgress(read.traces.length)
    }
    for await (const csv of csvFilesIn(file)) {
      const { trace, messages } = await tudcsIn(csv, now)
      if (messages.length > 0) report(`${csv} ${messages.join('; ')}${trace ? '' : '; refused'}`)
      if (!trace) traceFile.refused++
      else addTrace({ ...trace, feed: uniqueName(trace.feed, names) }, messages)
    }
    let number = 0
    for await (const line of (await isOfCsv(file)) ? [] : linesOf(file)) {
      if (line.kind === 'broken') {
        report(`${file}: ${line.message}; the ${traceFile.feeds} feeds before that are used`)
        traceFile.refused++
        break
      }
      number++
      if (line.kind === 'text' && line.text.trim() === '') continue
      const { trace, messages } = line.kind === 'text' ? readTraceLine(line.text, now) : { messages: [line.message] }
      const location = `${file}:${number}${trace?.feed ? ` (${trace.feed})` : ''}`
      if (messages.length > 0) report(`${location} ${messages.join('; ')}${trace ? '' : '; refused'}`)
      if (!trace) {
        traceFile.refused++
        if (traceFile.feeds === 0 && traceFile.refused >= MAX_LINES_WITHOUT_TRACE) break
        continue
      }
      trace.feed = uniqueName(trace.feed || `${file}:${number}`, names)
      addTrace(trace, messages)
    }
    if (traceFile.feeds === 0)
      throw new HintedError(
        `${file} has no trace that can be used${read.messages.length > 0 ? `: ${read.messages.at(-1)}` : ''}`,
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

/** The file itself, or all files in the folder at any depth, by name. */
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
    if (line.kind === 'text') reader.addLine(line.text)
  }
  return reader.end()
}

/** The name, numbered if it occurred before: random numbers are seeded by name. */
function uniqueName(name: string, names: Map<string, number>): string {
  const times = (names.get(name) ?? 0) + 1
  names.set(name, times)
  return times === 1 ? name : `${name} #${times}`
}

type Line = { kind: 'text'; text: string } | { kind: 'too-long'; message: string } | { kind: 'broken'; message: string }

async function* linesOf(file: string): AsyncIterable<Line> {
  const packed = await isPacked(file)
  const bytes = createReadStream(file)
  const plain = packed ? pipeline(bytes, createGunzip(), () => {}) : bytes
  let parts: Buffer[] = []
  let bufferedBytes = 0
  let total = 0
  const whole = (): Line => {
    const line: Line =
      bufferedBytes > MAX_LINE_BYTES
        ? { kind: 'too-long', message: `is longer than ${formatSize(MAX_LINE_BYTES)}` }
        : { kind: 'text', text: Buffer.concat(parts).toString('utf8') }
    parts = []
    bufferedBytes = 0
    return line
  }
  const hold = (bytesPart: Buffer) => {
    bufferedBytes += bytesPart.length
    if (bufferedBytes <= MAX_LINE_BYTES) parts.push(bytesPart)
    else parts = []
  }
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > MAX_FILE_BYTES) {
        yield { kind: 'broken', message: `is larger than ${formatSize(MAX_FILE_BYTES)}` }
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
    if (bufferedBytes > 0) yield whole()
  } catch (error) {
    yield { kind: 'broken', message: `breaks off (${error instanceof Error ? error.message : String(error)})` }
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

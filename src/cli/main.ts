/**
 * The command line: one file a command, and here its beginning, which gives the program a terminal and ends with its code. Its own
 * words, beside those of the model:
 *
 * - terminal:   the one that a person sits at; those that go out to the web are the crawl's
 * - io:         that terminal as commands see it: `out` is what was asked for, `note` what a person should know besides
 * - word:       what a person typed: a feed's number, address or a part of its title; a folder
 * - flags:      options as they were typed; a *setting* is one of the table in app
 * - plain:      without anything that a terminal obeys, on one line
 * - explain:    the wall at which whatever was thrown becomes a sentence, a hint and a code
 */
import { once } from 'node:events'
import { askAt } from './ask.ts'
import type { Terminal } from './io.ts'
import { runProgram } from './program.ts'
import { screenAt } from './screen.ts'

/** npm passes on the signal that the terminal has sent as well: what follows at once is the same wish, not a second. */
const SAME_WISH_MS = 1000

const LEFT_OPEN_MS = 10_000

const interrupted = new AbortController()
let interruptedAt = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    const now = Date.now()
    if (interrupted.signal.aborted && now - interruptedAt > SAME_WISH_MS) process.exit(130) // leases run out by themselves
    if (!interrupted.signal.aborted) interruptedAt = now
    interrupted.abort()
  })

// A reader that has seen enough (`| head`) closes the pipe: that is an end, not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const terminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  async outWhenReady(line) {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
  },
  note: (line) => void process.stderr.write(`${line}\n`),
  stdin: () => process.stdin,
  ...(process.stdout.isTTY && process.stdin.isTTY && { openScreen: () => screenAt(process.stdin, process.stdout) }),
  ask: (question, isHidden) => askAt(process.stdin, process.stderr, question, isHidden),
  environment: process.env,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  drawsProgress: process.stderr.isTTY === true,
  now: Date.now,
  interrupted: interrupted.signal,
}

process.exitCode = await runProgram(process.argv.slice(2), terminal)
// Whatever was left open, a connection or a timer, must not keep a process alive whose work is over: its supervisor waits for the end.
if (process.exitCode !== 0) setTimeout(() => process.exit(), LEFT_OPEN_MS).unref()

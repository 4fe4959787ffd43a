/**
 * The entry point of the command line: connects the program to the terminal and sets the exit code. Each command has a file in commands/.
 *
 * - terminal:   the terminal or pipe of the user
 * - io:         the terminal for commands, with sanitized output: `out` writes results, `note` writes messages
 * - word:       an argument as typed, such as a feed's number, address or title
 * - flags:      options as typed; a *setting* is an option of the table in app
 */
import { once } from 'node:events'
import { prompt } from './ask.ts'
import type { Terminal } from './io.ts'
import { runProgram } from './program.ts'
import { openScreen } from './screen.ts'

/** npm forwards a signal that the terminal has sent already: a signal that follows at once is not a second Ctrl-C. */
const REPEATED_SIGNAL_MS = 1000

const FORCED_EXIT_MS = 10_000

const interrupted = new AbortController()
let interruptedAt = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    const now = Date.now()
    if (interrupted.signal.aborted && now - interruptedAt > REPEATED_SIGNAL_MS) process.exit(130) // leases expire by themselves
    if (!interrupted.signal.aborted) interruptedAt = now
    interrupted.abort()
  })

// A closed pipe (`| head`) ends the program without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const terminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  async outWhenReady(line) {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
  },
  note: (line) => void process.stderr.write(`${line}\n`),
  stdin: () => process.stdin,
  ...(process.stdout.isTTY && process.stdin.isTTY && { openScreen: () => openScreen(process.stdin, process.stdout) }),
  ask: (question, isHidden) => prompt(process.stdin, process.stderr, question, isHidden),
  environment: process.env,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  drawsProgress: process.stderr.isTTY === true,
  now: Date.now,
  interrupted: interrupted.signal,
}

process.exitCode = await runProgram(process.argv.slice(2), terminal)
// After a failure, an open connection or timer must not keep the process alive: its supervisor waits for the exit.
if (process.exitCode !== 0) setTimeout(() => process.exit(), FORCED_EXIT_MS).unref()

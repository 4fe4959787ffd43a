/** All commands, and what happens to what goes wrong in them. commander reads the words, cli-progress draws bars. */
import { Command, CommanderError } from 'commander'
import { StoreError, VERSION } from '../app/index.ts'
import { HintedError } from '../model/index.ts'
import { ClientError, ServerError } from '../server/index.ts'
import { EXIT, Exit } from './command.ts'
import { addCommand } from './commands/add.ts'
import { auditCommand } from './commands/audit.ts'
import { changeCommands } from './commands/change.ts'
import { configCommand } from './commands/config.ts'
import { copiesCommand } from './commands/copies.ts'
import { demoCommand } from './commands/demo.ts'
import { discoverCommand } from './commands/discover.ts'
import { editCommand } from './commands/edit.ts'
import { entriesCommand } from './commands/entries.ts'
import { exportCommand } from './commands/export.ts'
import { extractCommand } from './commands/extract.ts'
import { feedsCommand } from './commands/feeds.ts'
import { goalCommand } from './commands/goal.ts'
import { importCommand } from './commands/import.ts'
import { labCommand } from './commands/lab.ts'
import { parseCommand } from './commands/parse.ts'
import { pollCommand } from './commands/poll.ts'
import { readCommand } from './commands/read.ts'
import { regroupCommand } from './commands/regroup.ts'
import { runCommand } from './commands/run.ts'
import { showCommand } from './commands/show.ts'
import { statusCommand } from './commands/status.ts'
import { storiesCommand } from './commands/stories.ts'
import { createIo, type Io, plainLine, type Terminal } from './io.ts'

/** Runs one command line. Returns the exit code. */
export async function runProgram(words: string[], terminal: Terminal): Promise<number> {
  const io = createIo(terminal)
  try {
    await createProgram(io).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    return explain(error, io)
  }
}

function createProgram(io: Io): Command {
  const program = new Command('freshet')
    .description('An adaptive feed crawler: it learns when each feed publishes and is there soon after.')
    .version(VERSION, '-V, --version')
    .helpOption('-h, --help', 'help for a command')
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.note(text.trimEnd()) })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `
Begin with:
  $ freshet demo                         a whole village of feeds, offline
  $ freshet run https://example.org      crawl, and look at http://localhost:4040
  $ freshet add feeds.opml               add your feeds, also while it runs

Exit codes: 0 done, 1 something asked for did not work, 2 wrong words or input, 3 the store cannot be used.`,
    )
  runCommand(program, io)
  addCommand(program, io)
  feedsCommand(program, io)
  entriesCommand(program, io)
  readCommand(program, io)
  storiesCommand(program, io)
  copiesCommand(program, io)
  regroupCommand(program, io)
  showCommand(program, io)
  statusCommand(program, io)
  pollCommand(program, io)
  changeCommands(program, io)
  editCommand(program, io)
  goalCommand(program, io)
  importCommand(program, io)
  exportCommand(program, io)
  discoverCommand(program, io)
  parseCommand(program, io)
  extractCommand(program, io)
  auditCommand(program, io)
  labCommand(program, io)
  configCommand(program, io)
  demoCommand(program, io)
  return program
}

/** The wall at which mistakes of all kinds become one sentence, a hint and a code. */
function explain(error: unknown, io: Io): number {
  if (error instanceof Exit) return error.code
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
  if (error instanceof StoreError) return say(io, { message: error.message, hint: storeHint(error) }, EXIT.store)
  if (error instanceof ServerError || error instanceof ClientError) return say(io, error, EXIT.failed)
  if (error instanceof HintedError) return say(io, error, EXIT.usage)
  io.note(`freshet: a mistake of ours: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return EXIT.failed
}

/** The store does not know the words of the command line. */
function storeHint({ trouble, hint }: StoreError): string {
  return trouble === 'missing' ? 'freshet add https://example.org makes it; --store names another' : hint
}

function say(io: Io, { message, hint }: { message: string; hint: string }, code: number): number {
  io.note(`freshet: ${plainLine(message)}`)
  io.note(`hint: ${plainLine(hint)}`)
  return code
}

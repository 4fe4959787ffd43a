/** The command line as a whole: which command is meant, and with which code it ends. commander reads the words. */
import { Command, CommanderError, Help } from 'commander'
import { HintedError } from '../model/index.ts'
import { COMMANDS } from './command-list.ts'
import { EXIT, Exit } from './exit.ts'
import { createIo, type Io, type Terminal } from './io.ts'

/** Runs one command line. Returns the exit code. */
export async function runProgram(words: string[], terminal: Terminal): Promise<number> {
  const io = createIo(terminal)
  try {
    await createProgram(io, words).parseAsync(asked(words), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof Exit) return error.code
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
    if (error === VERSION_ASKED) return tellVersion(io)
    const { explain } = await import('./explain.ts') // it knows the errors of all rooms, and so loads them
    return explain(error, io)
  }
}

/**
 * `help add` is `add --help`: commander would show the help of a command that has not been loaded. Of one that there is not it
 * would show the help of all, and say nothing.
 */
function asked(words: string[]): string[] {
  const [first, ...others] = words
  if (first !== 'help' || others.length === 0) return words
  return COMMANDS.some(({ name }) => name === others[0]) ? [...others, '--help'] : others
}

const VERSION_ASKED = new Error('the version is asked for')

/** bin/freshet.js answers this itself where nothing else is asked. */
async function tellVersion(io: Io): Promise<number> {
  io.out((await import('../app/index.ts')).VERSION)
  return 0
}

const TERMS = new Map(COMMANDS.map(({ name, takes }) => [name, `${name} ${takes}`.trim()]))

function createProgram(io: Io, words: readonly string[]): Command {
  const program = new Command('freshet')
    .description('An adaptive feed crawler: it learns when each feed publishes and is there soon after.')
    .option('-V, --version', 'which version this is')
    .on('option:version', () => {
      throw VERSION_ASKED
    })
    .helpOption('-h, --help', 'help for a command')
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

Exit codes: 0 done, 1 something asked for did not work, 2 wrong words or input, 3 the store cannot be used,
130 ended by Ctrl-C before it was done.`,
    )
  // What an option means that stands alone is said by its placeholder.
  program.configureHelp({
    optionDescription: (option) => new Help().optionDescription(option).replace(/ \(preset: [^)]*\)$/, ''),
  })
  for (const { name, summary } of COMMANDS) program.command(name).summary(summary)
  // From here on, because commands inherit this, and those of the lab can speak for themselves.
  program.configureHelp({
    subcommandTerm: (command) => TERMS.get(command.name()) ?? new Help().subcommandTerm(command),
  })
  return program.hook('preSubcommand', async (_, command) => {
    const listed = COMMANDS.find(({ name }) => name === command.name())
    if (listed?.onlyHere !== undefined && words.some((word) => /^--server(=|$)/.test(word)))
      throw new HintedError(`freshet ${listed.name} ${listed.onlyHere}`, 'leave out --server')
    const describe = await listed?.load()
    describe?.(command, io)
  })
}

/** The command line as a whole: which command is meant, and with which code it ends. commander reads the words. */
import { Command, CommanderError, Help, Option } from 'commander'
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
    const { explain } = await import('./explain.ts') // it knows the errors of all modules, and so loads them
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

const VERSION_ASKED = new Error('version requested')

/** bin/freshet.js answers this itself where nothing else is asked. */
async function tellVersion(io: Io): Promise<number> {
  io.out((await import('../app/index.ts')).VERSION)
  return 0
}

const TERMS = new Map(COMMANDS.map(({ name, takes }) => [name, `${name} ${takes}`.trim()]))

function createProgram(io: Io, words: readonly string[]): Command {
  const program = new Command('freshet')
    .description('Adaptive feed crawler and reader. Learns when each feed publishes and polls soon after.')
    .addOption(new Option('-V, --version', 'Show the version.').helpGroup('General options:'))
    .on('option:version', () => {
      throw VERSION_ASKED
    })
    .addHelpOption(new Option('-h, --help', 'Show help.').helpGroup('General options:'))
    .addHelpCommand(new Command('help').argument('[command]').summary('Show help for a command').helpGroup('Help:'))
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.note(text.trimEnd()) })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  $ freshet run https://example.org      Crawl a site, and open http://localhost:4040
  $ freshet add feeds.opml               Add your feeds, also while it runs
  $ freshet demo                         Try it on an invented web, offline

Exit codes: 0 success, 1 failed, 2 invalid usage or input, 3 store unavailable, 130 interrupted.`,
    )
  // The placeholder says what an option without a value means.
  program.configureHelp({
    optionDescription: (option) => new Help().optionDescription(option).replace(/ \(preset: [^)]*\)$/, ''),
  })
  for (const { group, name, summary } of COMMANDS) program.command(name).summary(summary).helpGroup(`${group}:`)
  // From here on, because commands inherit this, and the commands of the lab describe themselves.
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

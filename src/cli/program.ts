/** Parses the command line with commander, runs the command, and returns the exit code. */
import { Command, CommanderError, Help, Option } from 'commander'
import { HintedError } from '../model/index.ts'
import { COMMANDS } from './command-list.ts'
import { EXIT, Exit } from './exit.ts'
import { createIo, type Io, type Terminal } from './io.ts'

/** Runs one command line. Returns the exit code. */
export async function runProgram(words: string[], terminal: Terminal): Promise<number> {
  const io = createIo(terminal)
  try {
    await createProgram(io, words).parseAsync(rewriteHelp(words), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof Exit) return error.code
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
    if (error === VERSION_REQUESTED) return printVersion(io)
    const { explainError } = await import('./explain-error.ts') // loaded here because it imports the errors of all modules
    return explainError(error, io)
  }
}

/**
 * Rewrites `help add` to `add --help`, because commander would show the help of a command that is not loaded yet. For an unknown
 * command, commander would show the general help without an error.
 */
function rewriteHelp(words: string[]): string[] {
  const [first, ...rest] = words
  if (first !== 'help' || rest.length === 0) return words
  return COMMANDS.some(({ name }) => name === rest[0]) ? [...rest, '--help'] : rest
}

const VERSION_REQUESTED = new Error('version requested')

/** bin/freshet.js handles a plain --version itself. */
async function printVersion(io: Io): Promise<number> {
  io.out((await import('../app/index.ts')).VERSION)
  return 0
}

const TERMS = new Map(COMMANDS.map(({ name, args }) => [name, `${name} ${args}`.trim()]))

function createProgram(io: Io, words: readonly string[]): Command {
  const program = new Command('freshet')
    .description('Adaptive feed crawler and reader. Learns when each feed publishes and polls soon after.')
    .addOption(new Option('-V, --version', 'Show the version.').helpGroup('General options:'))
    .on('option:version', () => {
      throw VERSION_REQUESTED
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
  // The placeholder shows the meaning of an option without a value.
  program.configureHelp({
    optionDescription: (option) =>
      new Help()
        .optionDescription(option)
        .replace(/ \(preset: [^)]*\)$/, '')
        .replace(/\(default: "([^"]*)"\)$/, '(default: $1)'),
  })
  for (const { group, name, summary } of COMMANDS) program.command(name).summary(summary).helpGroup(`${group}:`)
  // Set after the commands are added, because they inherit it, and subcommands of the lab have their own terms.
  program.configureHelp({
    subcommandTerm: (command) => TERMS.get(command.name()) ?? new Help().subcommandTerm(command),
  })
  return program.hook('preSubcommand', async (_, command) => {
    const listed = COMMANDS.find(({ name }) => name === command.name())
    const isRemote = listed?.remoteSubcommand !== undefined && words.includes(listed.remoteSubcommand)
    if (listed?.localOnly !== undefined && !isRemote && words.some((word) => /^--server(=|$)/.test(word)))
      throw new HintedError(`freshet ${listed.name} ${listed.localOnly}`, 'leave out --server')
    const describe = await listed?.load()
    describe?.(command, io)
  })
}

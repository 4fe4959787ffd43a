/** Generates docs/commands.md from the definitions of the commands, so that it matches `--help`. */
import { Command } from 'commander'
import { COMMANDS } from './command-list.ts'
import { createIo } from './io.ts'

const INTRO = `# Commands

The help of a command, such as \`freshet entries --help\`, shows the same. Dates are given as \`2026-01-31\`, durations as \`90s\`, \`10m\`, \`2h\` or \`7d\`;
\`--since 7d\` means "in the last seven days". A feed is named by its number, address, name or a part of its title. In a checkout, write
\`npx freshet\` instead of \`freshet\`.

Settings are described in [Configuration](configuration.md). Most commands work on a local store (\`--store\`), also while a crawl is running,
or on a remote server (\`--server\`, see [Remote servers](api.md#remote-servers)).

Exit codes: 0 success, 1 failed, 2 invalid usage or input, 3 store unavailable, 130 interrupted.
`

export async function commandsPage(): Promise<string> {
  const parts = [INTRO]
  let group = ''
  for (const listed of COMMANDS) {
    if (listed.group !== group) parts.push(`## ${listed.group}\n`)
    group = listed.group
    const command = new Command(listed.name)
    const describe = await listed.load()
    describe(command, createIo(SILENT_TERMINAL))
    parts.push(...sectionsOf(command, listed.name, '###'))
  }
  parts.push('This page is written by `npm run docs` from the descriptions of the commands.\n')
  return parts.join('\n')
}

function sectionsOf(command: Command, path: string, heading: string): string[] {
  const args = command.registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? '...' : ''}`
    return one.required ? `<${name}>` : `[${name}]`
  })
  const ownOptions = command.options.filter((option) => option.helpGroupHeading === undefined)
  const settings = command.options.filter((option) => option.helpGroupHeading !== undefined)
  const rows = [
    ...command.registeredArguments.map((one) => [`\`${one.name()}\``, one.description]),
    ...ownOptions.map((option) => [`\`${option.flags}\``, withDefault(option.description, option.defaultValue)]),
  ].map(([name = '', about = '']) => `| ${escapeTableCell(name)} | ${escapeTableCell(about)} |`)
  const examples = examplesOf(command)
  return [
    `${heading} freshet ${path}\n`,
    `${command.description()}\n`,
    ...(args.length > 0 ? [`Usage: \`freshet ${path} ${args.join(' ')}\`\n`] : []),
    ...(rows.length > 0 ? [`| argument or option | |\n|---|---|\n${rows.join('\n')}\n`] : []),
    ...(settings.length > 0 ? [`Settings: ${settings.map(({ long }) => `\`${long}\``).join(', ')}\n`] : []),
    ...(examples ? [`\`\`\`sh\n${examples}\n\`\`\`\n`] : []),
    ...command.commands.flatMap((one) => sectionsOf(one, `${path} ${one.name()}`, '####')),
  ]
}

function withDefault(about: string, value: unknown): string {
  return value === undefined || value === true ? about : `${about} (default: ${value})`
}

function escapeTableCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** commander does not expose the texts after the help, so they are taken from its output. */
function examplesOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  const [, examples = ''] = /\nExamples:\n([\s\S]*)$/.exec(help) ?? []
  return examples.replace(/^ {2}\$ /gm, '').trim()
}

/** Prints nothing. */
export const SILENT_TERMINAL: Parameters<typeof createIo>[0] = {
  out: () => {},
  outWhenReady: async () => {},
  note: () => {},
  stdin: () => process.stdin,
  environment: {},
  columns: undefined,
  drawsProgress: false,
  now: Date.now,
  interrupted: new AbortController().signal,
}

/** `freshet config`: shows the settings in force and their sources. */
import type { Command } from 'commander'
import { flagOf, formatSetting, OPTION_NAMES } from '../../app/index.ts'
import { configured, type Flags, withExamples, withSettings } from '../command.ts'
import { type Io, printJson, printTable } from '../io.ts'

export function configCommand(command: Command, io: Io): void {
  command
    .description(
      'Show the settings in force.\nShows each value and its source: flag, environment, freshet.toml or default.',
    )
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => config(io, flags))
  withSettings(command, OPTION_NAMES)
  withExamples(command, 'freshet config', 'FRESHET_PORT=8080 freshet config --json')
}

function config(io: Io, flags: Flags): void {
  const { config: values, origins } = configured(io, flags)
  const rows = OPTION_NAMES.map((name) => ({
    name: flagOf(name),
    value: formatSetting(name, values[name]),
    origin: origins[name],
  }))
  if (flags.json) {
    printJson(io, Object.fromEntries(rows.map(({ name, value, origin }) => [name, { value, origin }])))
    return
  }
  printTable(io, rows, [
    { title: 'setting', of: (row) => row.name },
    { title: 'value', of: (row) => row.value || '(none)' },
    { title: 'from', of: (row) => row.origin },
  ])
}

/** `freshet destination`: services that entries are sent to. */
import type { Command } from 'commander'
import type { DestinationShape, PresetShape } from '../../api/index.ts'
import { InputError } from '../../app/index.ts'
import { type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { type Io, plainLine, printJson, printTable } from '../io.ts'
import { withReaderState } from '../with-reader-state.ts'

export function destinationCommand(command: Command, io: Io): void {
  command.description('Manage services that you send entries to, with freshet send or with rules.')
  const listing = command
    .command('list', { isDefault: true })
    .summary('List destinations')
    .description('List your destinations.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => list(io, flags))
  const presets = command
    .command('presets')
    .summary('List presets of services')
    .description('List the services for which there is a preset, with the fields of each.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => listPresets(io, flags))
  const adding = command
    .command('add')
    .argument('<name>', 'Name of the destination.')
    .argument('<preset>', 'Preset of the service, as shown by freshet destination presets.')
    .argument('[field=value...]', 'Values of fields. Others are asked for, passwords without showing them.')
    .summary('Add a destination')
    .description('Add a destination.')
    .action((name: string, preset: string, words: string[], flags: Flags) => add(io, name, preset, words, flags))
  const testing = command
    .command('test')
    .argument('<destination>', 'Name of the destination.')
    .summary('Send a test entry')
    .description('Send a test entry to a destination now, and show the answer.')
    .option('--json', 'Print one JSON object.')
    .action((name: string, flags: Flags) => test(io, name, flags))
  const removing = command
    .command('remove')
    .argument('<destination>', 'Name of the destination.')
    .summary('Remove a destination')
    .description('Remove a destination, and what waits for it.')
    .action((name: string, flags: Flags) => remove(io, name, flags))
  for (const one of [listing, presets, adding, testing, removing]) withSettings(one, USER_OPTIONS)
  withExamples(
    command,
    'freshet destination add Links linkding address=https://links.example.org',
    'freshet destination test Links',
    'freshet send e12 --to Links',
  )
}

/** By its name, ignoring case, or its id. */
export function destinationNamed(destinations: readonly DestinationShape[], word: string): DestinationShape {
  const folded = word.toLowerCase()
  const found =
    destinations.find(({ name }) => name.toLowerCase() === folded) ?? destinations.find(({ id }) => id === word)
  if (!found) throw new InputError(`there is no destination "${word}"`, 'freshet destination list shows all')
  return found
}

async function list(io: Io, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'read', async (state) => {
    const { destinations, presets } = await state.destinations()
    if (flags.json) return printJson(io, { destinations })
    if (destinations.length === 0)
      return io.note(
        'no destinations; freshet destination presets lists services, and freshet destination add adds one',
      )
    const sends = await state.sends()
    printTable(io, destinations, [
      { title: 'destination', of: ({ name }) => name, shrinks: true },
      { title: 'service', of: ({ preset }) => presets.find(({ id }) => id === preset)?.name ?? preset },
      { title: 'address', of: ({ fields }) => fields.address ?? '', shrinks: true },
      {
        title: 'failed',
        of: ({ id }) => String(sends.filter((one) => one.destinationId === id && one.state === 'failed').length),
        right: true,
      },
    ])
  })
}

async function listPresets(io: Io, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'read', async (state) => {
    const { presets } = await state.destinations()
    if (flags.json) return printJson(io, { presets })
    printTable(io, presets, [
      { title: 'preset', of: ({ id }) => id },
      { title: 'service', of: ({ name }) => name },
      { title: 'fields', of: ({ fields }) => fields.map(fieldText).join(', '), shrinks: true },
    ])
  })
}

async function add(io: Io, name: string, presetId: string, words: string[], flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    const { presets } = await state.destinations()
    const preset = presets.find(({ id }) => id === presetId)
    if (!preset)
      throw new InputError(
        `there is no preset "${presetId}"`,
        `choose one of ${presets.map(({ id }) => id).join(', ')}`,
      )
    const fields = await askForMissing(io, preset, valuesIn(words))
    await state.addDestination({ name, preset: presetId, fields })
    io.out(plainLine(`added: ${name}; freshet destination test "${name}" sends a test`))
  })
}

function valuesIn(words: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1) throw new InputError('a field has no value', 'write name=value')
    values[word.slice(0, at)] = word.slice(at + 1)
  }
  return values
}

/** Fields with a value are in the list of processes, so secrets are better typed. */
async function askForMissing(
  io: Io,
  { fields, hint }: PresetShape,
  given: Record<string, string>,
): Promise<Record<string, string>> {
  const values = { ...given }
  const missing = fields.filter(({ name, isOptional }) => values[name] === undefined && !isOptional)
  if (missing.length > 0 && hint) io.note(hint)
  for (const { name, label, isSecret = false } of missing) {
    const value = await io.ask?.(`${label}: `, isSecret)
    if (value === undefined) throw new InputError(`${label} is missing`, `give it as ${name}=VALUE`)
    values[name] = value
  }
  return values
}

async function test(io: Io, name: string, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    const { id } = destinationNamed((await state.destinations()).destinations, name)
    const result = await state.testDestination(id)
    const { status, trouble } = result
    if (flags.json) printJson(io, result)
    else if (trouble === undefined) io.out(status === undefined ? 'sent' : `sent: the service answered ${status}`)
    else io.note(plainLine(`failed: ${trouble}`))
    if (trouble !== undefined) throw new Exit(EXIT.failed)
  })
}

async function remove(io: Io, name: string, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    const destination = destinationNamed((await state.destinations()).destinations, name)
    await state.removeDestination(destination.id)
    io.out(plainLine(`removed: ${destination.name}`))
  })
}

function fieldText({ name, isOptional }: PresetShape['fields'][number]): string {
  return isOptional ? `[${name}]` : name
}

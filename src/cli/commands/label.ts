/** `freshet label`: labels of entries. */
import type { Command } from 'commander'
import { InputError } from '../../app/index.ts'
import type { EntryId } from '../../model/index.ts'
import { type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { parseEntryId } from '../entry-number.ts'
import { count, type Io, plainLine, printJson, printTable } from '../io.ts'
import { reportMissingEntries } from '../missing-entries.ts'
import { withReaderState } from '../with-reader-state.ts'

export function labelCommand(command: Command, io: Io): void {
  command.description('List labels, add them to entries, rename and remove them.')
  const listing = command
    .command('list', { isDefault: true })
    .summary('List labels')
    .description('List your labels with the number of their entries.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => list(io, flags))
  const adding = command
    .command('add')
    .argument('<label>', 'Name of the label. Created if it does not exist.')
    .argument('<entry...>', 'Entry numbers, as shown by freshet entries.')
    .summary('Add a label to entries')
    .description('Add a label to entries.')
    .action((label: string, words: string[]) => change(io, adding.opts(), 'add', label, words))
  const dropping = command
    .command('drop')
    .argument('<label>', 'Name of the label.')
    .argument('<entry...>', 'Entry numbers, as shown by freshet entries.')
    .summary('Remove a label from entries')
    .description('Remove a label from entries.')
    .action((label: string, words: string[]) => change(io, dropping.opts(), 'remove', label, words))
  const renaming = command
    .command('rename')
    .argument('<label>', 'Name of the label.')
    .argument('<name>', 'New name.')
    .summary('Rename a label')
    .description('Rename a label.')
    .action((label: string, name: string, flags: Flags) => rename(io, label, name, flags))
  const removing = command
    .command('remove')
    .argument('<label>', 'Name of the label.')
    .summary('Remove a label')
    .description('Remove a label, also from its entries.')
    .action((label: string, flags: Flags) => remove(io, label, flags))
  for (const one of [listing, adding, dropping, renaming, removing]) withSettings(one, USER_OPTIONS)
  withExamples(command, 'freshet label add later e12 e13', 'freshet label rename later "Read later"')
}

async function list(io: Io, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'read', async (state) => {
    const labels = await state.labels()
    if (flags.json) return printJson(io, { labels })
    if (labels.length === 0) return io.note('no labels; create one with freshet label add NAME ENTRY')
    printTable(io, labels, [
      { title: 'label', of: ({ name }) => name, shrinks: true },
      { title: 'entries', of: ({ entries }) => String(entries), right: true },
    ])
  })
}

async function change(io: Io, flags: Flags, how: 'add' | 'remove', label: string, words: string[]): Promise<void> {
  const name = label.trim()
  if (name === '' || name.length > 100)
    throw new InputError('the name of the label is empty or too long', 'give 1 to 100 characters')
  const ids = words.map(parseEntryId)
  let unchanged: EntryId[] = []
  await withReaderState(io, flags, 'write', async (state) => {
    const changed = await state.labelEntries(ids, { [how]: [name] })
    const entries = count(changed.length, 'entry', 'entries')
    io.out(plainLine(`${entries} ${how === 'add' ? 'labeled' : 'no longer labeled'} ${name}`))
    unchanged = ids.filter((id) => !changed.includes(id))
  })
  await reportMissingEntries(io, flags, unchanged)
}

async function rename(io: Io, label: string, name: string, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    await state.renameLabel(label, name)
    io.out(plainLine(`renamed: ${label} is now ${name}`))
  })
}

async function remove(io: Io, label: string, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    await state.removeLabel(label)
    io.out(plainLine(`removed: ${label}`))
  })
}

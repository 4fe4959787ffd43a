/** `freshet search`: manages saved searches. */
import type { Command } from 'commander'
import { InputError } from '../../app/index.ts'
import { type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson, printTable } from '../io.ts'
import { withReaderState } from '../with-reader-state.ts'
import { joinSearchWords } from './entries.ts'

export function searchCommand(search: Command, io: Io): void {
  search.description('Manage saved searches.\nThe page, feeds and webhooks can use them by name.')
  withExamples(
    search,
    'freshet search save flood \'flood OR "high water" lang:en is:unread\'',
    'freshet search list',
    'freshet search remove flood',
  )
  const saving = search
    .command('save')
    .argument('<name>', 'Name of the search. Replaces one of the same name.')
    .argument('<words...>', 'Query, as for freshet entries.')
    .summary('Save a search')
    .description('Save a search.')
    .action((name: string, words: string[], flags: Flags) => save(io, name, words, flags))
  const listing = search
    .command('list')
    .summary('List saved searches')
    .description('List saved searches.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => list(io, flags))
  const removing = search
    .command('remove')
    .argument('<name>', 'Name of the search.')
    .summary('Remove a saved search')
    .description('Remove a saved search, and the feeds and webhooks made from it.')
    .action((name: string, flags: Flags) => remove(io, name, flags))
  for (const command of [saving, listing, removing]) withSettings(command, USER_OPTIONS)
}

async function save(io: Io, name: string, words: string[], flags: Flags): Promise<void> {
  if (name.trim() === '' || name.length > 200)
    throw new InputError('the name is empty or too long', 'give 1 to 200 characters')
  await withReaderState(io, flags, 'write', async (state) => {
    await state.saveSearch(name.trim(), joinSearchWords(words))
    io.out(plainLine(`saved: ${name.trim()}`))
  })
}

async function list(io: Io, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'read', async (state) => {
    const searches = await state.searches()
    if (flags.json) return printJson(io, { searches: searches.map(({ id, name, query }) => ({ id, name, query })) })
    if (searches.length === 0) return io.note('no saved searches; create one with freshet search save NAME WORDS')
    printTable(io, searches, [
      { title: 'name', of: ({ name }) => name, shrinks: true },
      { title: 'search', of: ({ query }) => query, shrinks: true },
    ])
  })
}

async function remove(io: Io, name: string, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    const existing = (await state.searches()).find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!existing) throw new InputError(`there is no saved search "${name}"`, 'freshet search list shows all')
    await state.removeSearch(existing.id)
    io.out(plainLine(`removed: ${existing.name}`))
  })
}

/** `freshet search`: searches that are saved under a name. */
import type { Command } from 'commander'
import { InputError, openReaderState, type ReaderState } from '../../app/index.ts'
import { configOf, type Flags, PERSONAL_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson, table } from '../io.ts'
import { asTyped } from './entries.ts'

export function searchCommand(search: Command, io: Io): void {
  search.description(
    'Searches that are saved under a name, for the page, for feeds and for webhooks. They are those of who needs no account, or has the first one.',
  )
  withExamples(
    search,
    'freshet search save flood \'flood OR "high water" lang:en is:unread\'',
    'freshet search list',
    'freshet search remove flood',
  )
  const saving = search
    .command('save')
    .argument('<name>', 'what it is called; one of the same name is replaced')
    .argument('<words...>', 'what is searched for, as freshet entries takes it')
    .summary('save a search')
    .action((name: string, words: string[], flags: Flags) => save(io, name, words, flags))
  const listing = search
    .command('list')
    .summary('list saved searches')
    .option('--json', 'as one JSON object')
    .action((flags: Flags) => list(io, flags))
  const removing = search
    .command('remove')
    .argument('<name>', 'what it is called')
    .summary('remove a saved search, with the feeds and webhooks that are made of it')
    .action((name: string, flags: Flags) => remove(io, name, flags))
  for (const command of [saving, listing, removing]) withSettings(command, PERSONAL_OPTIONS)
}

async function save(io: Io, name: string, words: string[], flags: Flags): Promise<void> {
  if (name.trim() === '' || name.length > 200)
    throw new InputError('this is no name for a search', 'give it a short one')
  await withState(io, flags, 'write', async (state) => {
    await state.saveSearch(name.trim(), asTyped(words))
    io.out(plainLine(`saved: ${name.trim()}`))
  })
}

async function list(io: Io, flags: Flags): Promise<void> {
  await withState(io, flags, 'read', async (state) => {
    const searches = await state.searches()
    if (flags.json) return printJson(io, { searches: searches.map(({ id, name, query }) => ({ id, name, query })) })
    if (searches.length === 0) return io.note('no search is saved; freshet search save NAME WORDS saves one')
    table(io, searches, [
      { title: 'name', of: ({ name }) => name, gives: true },
      { title: 'search', of: ({ query }) => query, gives: true },
    ])
  })
}

async function remove(io: Io, name: string, flags: Flags): Promise<void> {
  await withState(io, flags, 'write', async (state) => {
    const there = (await state.searches()).find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!there) throw new InputError(`no search is called "${name}"`, 'freshet search list names them')
    await state.removeSearch(there.id)
    io.out(plainLine(`removed: ${there.name}`))
  })
}

async function withState(
  io: Io,
  flags: Flags,
  mode: 'read' | 'write',
  work: (state: ReaderState) => Promise<void>,
): Promise<void> {
  const state = await openReaderState(configOf(io, flags), mode)
  try {
    await work(state)
  } finally {
    await state.close()
  }
}

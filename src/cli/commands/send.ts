/** `freshet send`: sends entries to a destination, and lists what was sent. */
import type { Command } from 'commander'
import type { DestinationShape, SendShape } from '../../api/index.ts'
import { InputError, type ReaderCommands } from '../../app/index.ts'
import { type Millis, SECOND } from '../../model/index.ts'
import { type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { parseEntryId } from '../entry-number.ts'
import { EXIT, Exit } from '../exit.ts'
import { type Io, plainLine, printJson, printTable } from '../io.ts'
import { withReaderState } from '../with-reader-state.ts'
import { destinationNamed } from './destination.ts'

/** How long to wait for a running server. */
const MAX_WAIT_MS: Millis = 20 * SECOND
const CHECK_EVERY_MS: Millis = 200

export function sendCommand(command: Command, io: Io): void {
  command
    .description(
      'Send entries to a destination, such as Wallabag or Telegram.\nWithout an entry, lists what waits, was sent or failed. Add destinations with freshet destination add.',
    )
    .argument('[entry...]', 'Entry numbers, as shown by freshet entries.')
    .option('--to <destination>', 'Name of the destination. Not needed if there is only one.')
    .option('--cancel', 'Do not send the entries that wait, and remove results.')
    .option('--json', 'Print one JSON object.')
    .action((words: string[], flags: Flags) => (words.length === 0 ? list(io, flags) : send(io, words, flags)))
  withSettings(command, USER_OPTIONS)
  withExamples(command, 'freshet send e12 --to Wallabag', 'freshet send')
}

async function list(io: Io, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'read', async (state) => {
    const sends = await state.sends()
    if (flags.json) return printJson(io, { sends })
    if (sends.length === 0) return io.note('nothing was sent; freshet send ENTRY --to DESTINATION sends an entry')
    const { destinations } = await state.destinations()
    const nameOf = (id: string) => destinations.find((one) => one.id === id)?.name ?? ''
    printTable(io, sends, [
      { title: 'entry', of: ({ entryId }) => `e${entryId}` },
      { title: 'title', of: ({ title = '' }) => title, shrinks: true },
      { title: 'to', of: ({ destinationId }) => nameOf(destinationId), shrinks: true },
      { title: 'state', of: stateText },
    ])
  })
}

async function send(io: Io, words: string[], flags: Flags): Promise<void> {
  const ids = words.map(parseEntryId)
  await withReaderState(io, flags, 'write', async (state) => {
    const { destinations } = await state.destinations()
    const destination = chosen(destinations, flags)
    if (flags.cancel === true) {
      for (const id of ids) await state.removeSend(`${id}-${destination.id}`)
      return io.out(plainLine(`removed: ${words.join(', ')}`))
    }
    for (const id of ids) await state.send(id, destination.id)
    const sends = await waitForSends(state, new Set(ids.map((id) => `${id}-${destination.id}`)), io.interrupted)
    if (flags.json) printJson(io, { sends })
    else for (const one of sends) io.out(plainLine(`e${one.entryId}: ${stateText(one)}`))
    if (sends.some((one) => one.state === 'failed')) throw new Exit(EXIT.failed)
  })
}

function chosen(destinations: DestinationShape[], { to }: Flags): DestinationShape {
  if (typeof to === 'string') return destinationNamed(destinations, to)
  const [only, another] = destinations
  if (only && !another) return only
  throw new InputError('the destination is missing', 'name it with --to; freshet destination list shows all')
}

/** Until each was tried once. */
async function waitForSends(
  state: ReaderCommands,
  keys: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<SendShape[]> {
  for (let waitedMs = 0; ; waitedMs += CHECK_EVERY_MS) {
    const sends = (await state.sends()).filter(({ id }) => keys.has(id))
    const isTried = sends.every((one) => one.state !== 'waiting' || one.last !== undefined)
    if (isTried || waitedMs >= MAX_WAIT_MS || signal.aborted) return sends
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
  }
}

function stateText({ state, last, dueAt }: SendShape): string {
  if (state === 'sent') return 'sent'
  const reason = last?.trouble ? `: ${last.trouble}` : ''
  return state === 'failed' ? `failed${reason}` : `waiting${reason}${reason && dueAt ? `; next try at ${dueAt}` : ''}`
}

/** Opens the user's read state, labels, rules and saved searches for one command. */
import { openReaderState, type ReaderCommands } from '../app/index.ts'
import { configOf, type Flags } from './command.ts'
import type { Io } from './io.ts'

export async function withReaderState(
  io: Io,
  flags: Flags,
  mode: 'read' | 'write',
  work: (state: ReaderCommands) => Promise<void>,
): Promise<void> {
  const state = await openReaderState(configOf(io, flags), mode)
  try {
    await work(state)
  } finally {
    await state.close()
  }
}

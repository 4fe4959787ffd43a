/** `freshet regroup`: find copies and stories anew, of what came while that was off, or under other settings. */
import type { Command } from 'commander'
import { openCommands, openForReading } from '../../app/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'

export function regroupCommand(command: Command, io: Io): void {
  command
    .description(
      'Compares all entries of the window once more, oldest first, under the settings as they are now. What is interrupted goes on\nwith the next run. If a crawl is running on the store, it is asked to do it, under its own settings.',
    )
    .action(async (flags: Flags) => regroup(io, flags))
  withSettings(command, ['store', 'copies', 'copyThreshold', 'stories', 'storyThreshold', 'groupWindow', 'groupMemory'])
  withExamples(command, 'freshet regroup', 'freshet regroup --story-threshold 0.2 --group-window 14d')
}

async function regroup(io: Io, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  await (await openForReading(config)).close() // which refuses a store that is not there
  const commands = await openCommands(config)
  try {
    const { entries, done } = await commands.placeAgain(io.interrupted)
    const what = count(entries, 'entry', 'entries')
    io.out(done ? `compared ${what} anew` : `${what} will be compared anew, in the quiet moments of a crawl`)
  } finally {
    await commands.close()
  }
}

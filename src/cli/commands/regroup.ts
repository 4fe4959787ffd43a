/** `freshet regroup`: find copies and stories anew, of what came while that was off, or under other settings. */
import type { Command } from 'commander'
import { openCommands, openQueries } from '../../app/index.ts'
import { configOf, type Flags, PLACE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'

export function regroupCommand(command: Command, io: Io): void {
  command
    .description(
      'Compares all entries of the window once more, oldest first, under the settings as they are now. What is interrupted\ngoes on where it was with --continue, or with the next crawl. If a crawl is running on the store, it is asked to do it, under its own settings.',
    )
    .option('--continue', 'go on where an earlier one was interrupted')
    .action(async (flags: Flags) => regroup(io, flags))
  withSettings(command, [
    ...PLACE_OPTIONS,
    'copies',
    'copyThreshold',
    'stories',
    'storyThreshold',
    'groupWindow',
    'groupMemory',
  ])
  withExamples(
    command,
    'freshet regroup',
    'freshet regroup --continue',
    'freshet regroup --story-threshold 0.2 --group-window 14d',
  )
}

async function regroup(io: Io, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  await (await openQueries(config)).close() // which refuses a store that is not there
  const commands = await openCommands(config)
  try {
    const { entries, done } = flags.continue
      ? { entries: undefined, ...(await commands.groupWaiting(io.interrupted)) }
      : await commands.regroup(io.interrupted)
    const what = entries === undefined ? 'what was still waiting' : count(entries, 'entry', 'entries')
    if (done) io.out(`compared ${what} anew`)
    else if (commands.isRunning) io.out(`${what} will be compared anew, in the quiet moments of a crawl`)
    else io.out(`interrupted: of ${what} the rest waits in the store; freshet regroup --continue goes on where it was`)
  } finally {
    await commands.close()
  }
}

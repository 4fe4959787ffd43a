/** `freshet regroup`: finds copies and stories again, for example after settings have changed. */
import type { Command } from 'commander'
import { openCommands, openQueries } from '../../app/index.ts'
import { configOf, type Flags, STORE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'

export function regroupCommand(command: Command, io: Io): void {
  command
    .description(
      'Find copies and stories again.\nCompares the entries within the group window under the current settings. A running crawl does it with its own settings.',
    )
    .option('--continue', 'Continue an interrupted run.')
    .action(async (flags: Flags) => regroup(io, flags))
  withSettings(command, [
    ...STORE_OPTIONS,
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
  await (await openQueries(config)).close() // throws if the store does not exist
  const commands = await openCommands(config)
  try {
    const { entries, done } = flags.continue
      ? { entries: undefined, ...(await commands.groupWaiting(io.interrupted)) }
      : await commands.regroup(io.interrupted)
    const what = entries === undefined ? 'the waiting entries' : count(entries, 'entry', 'entries')
    if (done) io.out(`grouped ${what} again`)
    else if (commands.isRunning) io.out(`the running crawl groups ${what} again when it is idle`)
    else io.out(`interrupted; continue with freshet regroup --continue`)
  } finally {
    await commands.close()
  }
}

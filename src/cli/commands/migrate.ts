/** `freshet migrate`: everything from one store into another, as when a file becomes too small. */
import type { Command } from 'commander'
import { InputError, type MoveProgress, moveStore, openFerry, storeGiven } from '../../app/index.ts'
import { type Flags, withExamples } from '../command.ts'
import { count, type Io, printJson } from '../io.ts'
import { createProgress, type Progress } from '../progress.ts'

export function migrateCommand(command: Command, io: Io): void {
  command
    .description(
      'Carries everything over from one store into an empty one, and compares both. A store is a file of SQLite, or postgres://user:password@host:port/database. Nobody may crawl on either meanwhile. What is interrupted goes on where it was, by the same command. The first store stays as it is; the search index of the second is filled by its first crawl.',
    )
    .requiredOption('--from <store>', 'the store that is carried over')
    .requiredOption('--to <store>', 'the store that is filled: one that is not there yet, or is empty')
    .option('--json', 'as one JSON object')
    .action((flags: Flags) => migrate(io, flags))
  withExamples(
    command,
    'freshet migrate --from freshet.db --to postgres://freshet@localhost/freshet',
    'freshet migrate --from postgres://freshet@localhost/freshet --to freshet.db',
  )
}

async function migrate(io: Io, flags: Flags): Promise<void> {
  const [fromAddress, toAddress] = [storeGiven('--from', flags.from), storeGiven('--to', flags.to)]
  if (fromAddress === toAddress) throw new InputError('both are the same store', 'name another one with --to')
  const from = await openFerry(fromAddress, 'from', io.now)
  try {
    const to = await openFerry(toAddress, 'to', io.now)
    const bars = createBars(io)
    try {
      const moved = await moveStore(from, to, { signal: io.interrupted, onProgress: bars.update })
      bars.end()
      if (flags.json) return printJson(io, { from: from.name, to: to.name, ...moved })
      const all = count(moved.of, 'row', 'rows')
      if (moved.done) io.out(`${all} of ${moved.kinds.length} kinds are in ${to.name}, and the same as in ${from.name}`)
      else io.out(`interrupted: ${moved.rows} of ${all} are in ${to.name}; the same command goes on where it was`)
    } finally {
      bars.end()
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** One for each of the two things that take long. */
function createBars(io: Io): { update(progress: MoveProgress): void; end(): void } {
  let doing: MoveProgress['doing'] | undefined
  let bar: Progress | undefined
  return {
    update(progress) {
      if (progress.doing !== doing) {
        bar?.end()
        bar = createProgress(io, progress.doing)
        doing = progress.doing
      }
      bar?.update(progress.rows, progress.of)
    },
    end() {
      bar?.end()
      bar = undefined
    },
  }
}

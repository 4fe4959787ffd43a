/** `freshet migrate`: everything from one store into another, as when a file becomes too small. */
import type { Command } from 'commander'
import {
  InputError,
  libraryGiven,
  type MovedStore,
  type MoveProgress,
  moveBetween,
  storeGiven,
} from '../../app/index.ts'
import { type Flags, withExamples } from '../command.ts'
import { count, type Io, printJson } from '../io.ts'
import { createProgress, type Progress } from '../progress.ts'

export function migrateCommand(command: Command, io: Io): void {
  command
    .description(
      'Carries everything over from one store into an empty one, and compares both. A store is a file of SQLite, or postgres://user:password@host:port/database. Nobody may crawl on either meanwhile. What is interrupted goes on where it was, by the same command. If what the entries say is in a library, or shall be, name it: without that, names are carried over, and the new store needs the library of the first. The first store stays as it is; the search index of the second is filled by its first crawl.',
    )
    .requiredOption('--from <store>', 'the store that is carried over')
    .requiredOption('--to <store>', 'the store that is filled: one that is not there yet, or is empty')
    .option(
      '--from-library <url>',
      'the library beside the first store, cassandra://host:9042/keyspace: what it says is carried over, too',
    )
    .option('--to-library <url>', 'an empty library beside the second store: long texts and pages come into it')
    .option('--json', 'as one JSON object')
    .action((flags: Flags) => migrate(io, flags))
  withExamples(
    command,
    'freshet migrate --from freshet.db --to postgres://freshet@localhost/freshet',
    'freshet migrate --from postgres://freshet@localhost/freshet --to freshet.db',
    'freshet migrate --from freshet.db --to large.db --to-library cassandra://10.0.0.5/freshet',
  )
}

async function migrate(io: Io, flags: Flags): Promise<void> {
  const from = { store: storeGiven('--from', flags.from), library: libraryGiven('--from-library', flags.fromLibrary) }
  const to = { store: storeGiven('--to', flags.to), library: libraryGiven('--to-library', flags.toLibrary) }
  if (from.store === to.store) throw new InputError('both are the same store', 'name another one with --to')
  if (from.library !== '' && from.library === to.library)
    throw new InputError('both are the same library', 'name none: names are carried over, and the library stays')
  const bars = createBars(io)
  try {
    const moved = await moveBetween({ from, to }, { now: io.now, signal: io.interrupted, onProgress: bars.update })
    bars.end()
    if (flags.json) return printJson(io, moved)
    tell(io, moved)
  } finally {
    bars.end()
  }
}

function tell(
  io: Io,
  { from, to, done, rows, of, kinds, stacks, lost }: MovedStore & { from: string; to: string },
): void {
  const all = count(of, 'row', 'rows')
  if (!done) {
    io.out(`interrupted: ${rows} of ${all} are in ${to}; the same command goes on where it was`)
    return
  }
  io.out(`${all} of ${kinds.length} kinds are in ${to}, and the same as in ${from}`)
  if (stacks)
    io.out(
      `${count(stacks.cards, 'card', 'cards')} and ${count(stacks.polls, 'poll', 'polls')} of the library went with it`,
    )
  if (lost) io.note(`the first library has lost ${count(lost, 'text', 'texts')}: what named them stands there without`)
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

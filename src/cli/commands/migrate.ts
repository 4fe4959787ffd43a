/** `freshet migrate`: copies everything from one store to another. */
import type { Command } from 'commander'
import {
  InputError,
  type MigrationProgress,
  type MigrationResult,
  migrateStore,
  parseContentStoreFlag,
  parseStoreFlag,
} from '../../app/index.ts'
import { type Flags, withExamples } from '../command.ts'
import { count, type Io, printJson } from '../io.ts'
import { createProgress, type Progress } from '../progress.ts'

export function migrateCommand(command: Command, io: Io): void {
  command
    .description(
      'Copy everything from one store to another.\nThe target must be empty; the source stays unchanged. Stop all crawls on both first. Compares both afterwards.\nRun the same command again to continue after an interruption. The first crawl fills the search index of the target.',
    )
    .requiredOption('--from <store>', 'Source: an SQLite file, or postgres://user:password@host:port/database.')
    .requiredOption('--to <store>', 'Target: a store that is empty, or does not exist yet.')
    .option('--from-content-store <url>', 'Content store of the source, to copy its texts as well.')
    .option('--to-content-store <url>', 'Empty content store of the target, for long texts and pages.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => migrate(io, flags))
  withExamples(
    command,
    'freshet migrate --from freshet.db --to postgres://freshet@localhost/freshet',
    'freshet migrate --from postgres://freshet@localhost/freshet --to freshet.db',
    'freshet migrate --from freshet.db --to large.db --to-content-store cassandra://10.0.0.5/freshet',
  )
}

async function migrate(io: Io, flags: Flags): Promise<void> {
  const from = {
    store: parseStoreFlag('--from', flags.from),
    contentStore: parseContentStoreFlag('--from-content-store', flags.fromContentStore),
  }
  const to = {
    store: parseStoreFlag('--to', flags.to),
    contentStore: parseContentStoreFlag('--to-content-store', flags.toContentStore),
  }
  if (from.store === to.store)
    throw new InputError('--from and --to are the same store', 'give another store with --to')
  if (from.contentStore !== '' && from.contentStore === to.contentStore)
    throw new InputError(
      'both are the same content store',
      'leave both out: the references are copied, and the content store stays',
    )
  const progressBars = createBars(io)
  try {
    const result = await migrateStore(
      { from, to },
      { now: io.now, signal: io.interrupted, onProgress: progressBars.update },
    )
    progressBars.end()
    if (flags.json) return printJson(io, result)
    printResult(io, result)
  } finally {
    progressBars.end()
  }
}

function printResult(
  io: Io,
  { from, to, done, rows, of, kinds, contentRecords, missingTexts }: MigrationResult & { from: string; to: string },
): void {
  const rowCount = count(of, 'row', 'rows')
  if (!done) {
    io.out(`interrupted: ${rows} of ${rowCount} are in ${to}; run the same command again to continue`)
    return
  }
  io.out(`copied ${rowCount} of ${kinds.length} kinds to ${to}, and compared them with ${from}`)
  if (contentRecords)
    io.out(
      `copied ${count(contentRecords.entries, 'record')} and ${count(contentRecords.polls, 'poll')} of the content store`,
    )
  if (missingTexts)
    io.note(
      `${count(missingTexts, 'text is', 'texts are')} missing in the content store of the source; their entries have no text`,
    )
}

/** A progress bar for copying, and one for comparing. */
function createBars(io: Io): { update(progress: MigrationProgress): void; end(): void } {
  let doing: MigrationProgress['doing'] | undefined
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

/** `freshet lab papers`: repeats the papers' experiments and writes both results as one Markdown page. */
import type { Command } from 'commander'
import { paperPage, readTraces, studyPapers } from '../../lab/index.ts'
import { DAY } from '../../model/index.ts'
import { configOf, durationFlag, type Flags, integerFlag, withExamples, withSettings } from '../command.ts'
import type { Io } from '../io.ts'
import { createProgress } from '../progress.ts'
import { linesToFile } from '../write-lines.ts'

export function papersCommand(lab: Command, io: Io): void {
  const command = lab
    .command('papers')
    .summary("Repeat the papers' experiments")
    .description("Repeat the papers' experiments on trace files.\nWrites their figures beside ours, as Markdown.")
    .requiredOption(
      '--traces <file...>',
      'Trace files (plain or gzip), or folders in TUDCS format with one CSV per feed.',
    )
    .option('--warmup <time>', 'Time that strategies learn before scoring.', '14d')
    .option('--score <time>', 'Time that is scored.', '21d')
    .option('--seed <n>', 'Random seed: which weeks of a long history are replayed.', '1')
    .option('--report <file>', 'Write the report here; - for standard output.', '-')
    .option('--json <file>', 'Write all results as JSON.')
    .action(async ({ traces, ...flags }: { traces: string[] } & Record<string, string>) => papers(io, traces, flags))
  withSettings(command, ['minInterval', 'maxInterval'])
  withExamples(command, 'freshet lab papers --traces traces.ndjson.gz --report papers.md')
}

async function papers(io: Io, files: string[], flags: Flags): Promise<void> {
  const { minInterval: minMs, maxInterval: maxMs } = configOf(io, flags)
  const options = {
    limits: { minMs, maxMs },
    warmupMs: durationFlag(flags, 'warmup', 0),
    scoreMs: durationFlag(flags, 'score', DAY),
    seed: integerFlag(flags, 'seed', 1),
  }
  const { traces } = await readTraces(files, io.now(), () => {})
  const progress = createProgress(io, 'repeating experiments')
  const study = await studyPapers(traces, options, { onProgress: progress.update, signal: io.interrupted }).finally(
    progress.end,
  )
  if (typeof flags.json === 'string') await linesToFile(flags.json, [JSON.stringify(study)])
  const page = paperPage(study)
  if (flags.report === '-') return io.out(page)
  await linesToFile(String(flags.report), [page])
  io.note(`${flags.report}: their figures beside ours`)
}

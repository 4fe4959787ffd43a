import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Pure modules: their tests leave nothing behind, so they share one module registry. */
const PURE = ['articles', 'dedup', 'feeds', 'html', 'model', 'politeness', 'scheduling', 'views'].map(
  (module) => `src/${module}/**/*.test.ts`,
)

/** Those that are about what happens meanwhile are run a second time, on a store that lets it happen (test/yielding-store.ts). */
const MEANWHILE = [
  'src/crawl/crawl.test.ts',
  'src/crawl/scheduler/budget.test.ts',
  'src/crawl/scheduler/in-flight-tasks.test.ts',
  'src/crawl/grouping/group-entries.test.ts',
  'src/crawl/recorder/chunked-writes.test.ts',
  'src/crawl/recorder/concurrent-edits.test.ts',
  'src/crawl/rules/push.test.ts',
]

/** Those that hold however often the store fails are run a second time on one that does (test/fault-injection.ts). */
const FAILING = [
  'src/crawl/copies.test.ts',
  'src/crawl/dates.test.ts',
  'src/crawl/lifecycle/totals.test.ts',
  'src/crawl/media.test.ts',
  'src/crawl/recorder/concurrent-edits.test.ts',
  'src/crawl/changed-keys.test.ts',
]

/** Those that show a store of several processes under a whole crawl are run on PostgreSQL, too (test/postgres-crawl-stores.ts). */
const ON_POSTGRES = [
  'src/crawl/copies.test.ts',
  'src/crawl/scheduler/orphaned-leases.test.ts',
  'src/crawl/scheduler/in-flight-tasks.test.ts',
  'src/crawl/lifecycle/several-controllers.test.ts',
  'src/crawl/recorder/concurrent-edits.test.ts',
  'src/crawl/rules/push.test.ts',
]

/** Those that take minutes, mostly by waiting: begun first, they end while others still have something to do. */
const LONGEST = ['test/fleet/faults.test.ts', 'test/fleet/backup.test.ts', 'src/crawl/rules/push.test.ts']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000, // for what hangs: a machine with ten others at work takes its time
    hookTimeout: 180_000,
    maxWorkers: availableParallelism(), // many wait for servers and browsers more than they compute
    globalSetup: ['test/cassandra-for-run.ts'],
    setupFiles: ['test/seed.ts', 'test/page-texts.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: [
            'src/**/*.test.ts',
            'test/**/*.test.ts',
            'tools/**/*.test.ts',
            'web/**/*.test.ts',
            'examples/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...PURE],
        },
      },
      { extends: true, test: { name: 'pure core', include: PURE, isolate: false } },
      { extends: true, test: { name: 'yielding store', include: MEANWHILE, env: { STORE_YIELDS: '1' } } },
      { extends: true, test: { name: 'failing store', include: FAILING, env: { STORE_FAILS: '1' } } },
      { extends: true, test: { name: 'postgres store', include: ON_POSTGRES, env: { STORE_IS: 'postgres' } } },
    ],
  },
})

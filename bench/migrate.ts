/**
 * Time to migrate a large store: `node bench/migrate.ts [--entries 300000] [--feeds 3000]`. A generated file is copied into PostgreSQL
 * (found or started as in tests, but it syncs its log) by `freshet migrate`, which is killed (kill -9) some seconds after its start and
 * started again, and from there into another file. Both times all rows are read once more and compared, which is included in the time.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openSqliteStore } from '../src/stores/index.ts'
import { postgresForTests } from '../test/postgres-server.ts'
import { commit } from './current-commit.ts'
import { fillStore } from './filled-store.ts'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '300000' },
    feeds: { type: 'string', default: '3000' },
    kill: { type: 'string', default: '5' },
  },
})
const [entries, feeds] = [Number(values.entries), Number(values.feeds)]
const PROGRAM = join(import.meta.dirname, '../bin/freshet.js')

const { server, reason } = await postgresForTests({ fsync: 'on', synchronous_commit: 'on', max_wal_size: '4GB' })
if (!server) throw new Error(reason)
const folder = mkdtempSync(join(tmpdir(), 'freshet-migrate-'))
try {
  const [file, back] = [join(folder, 'store.db'), join(folder, 'back.db')]
  const now = Date.parse('2026-03-01')
  await openSqliteStore({ file, mode: 'write', now: () => now }).store.close()
  fillStore(file, { feeds, entries, now })
  const size = Math.round(statSync(file).size / 1e6)
  console.log(`${entries} entries of ${feeds} feeds, ${size} MB; PostgreSQL ${server.version}, commit ${commit()}`)
  const to = await server.freshDatabase()

  const first = began(file, to)
  await sleep(Number(values.kill) * 1000)
  first.child.kill('SIGKILL')
  await first.ended
  console.log(`killed after ${values.kill} s`)
  report('resumed, into PostgreSQL', await began(file, to).ended)
  const whole = await server.freshDatabase()
  report('into PostgreSQL', await began(file, whole).ended)
  report('back into a file', await began(to, back).ended)
} finally {
  await server.close()
  rmSync(folder, { recursive: true })
}

interface Ended {
  ms: number
  output: string
}

function began(from: string, to: string) {
  const at = performance.now()
  const child = spawn(process.execPath, [PROGRAM, 'migrate', '--from', from, '--to', to], { cwd: folder })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', () => resolve({ ms: performance.now() - at, output: output.trim().split('\n').at(-1) ?? '' }))
  })
  return { child, ended }
}

function report(what: string, { ms, output }: Ended): void {
  console.log(
    `${what.padEnd(26)} ${(ms / 1000).toFixed(1)} s, ${Math.round((entries / ms) * 1000)} entries a second: ${output}`,
  )
}

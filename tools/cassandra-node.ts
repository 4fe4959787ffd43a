/**
 * A real Cassandra for tests, benches and contributors, of one node or of several on loopback. The server is the artefact that its
 * project publishes for Maven; it and what it needs are fetched once, by `mvn`, into a cache outside the repository. A node has a
 * folder of its own, a small heap, free ports, and is stopped by its process id.
 *
 * Java 17 keeps its inner parts to itself: the server names those that it uses, and they are opened for it here. Where Java or the
 * artefacts cannot be had, `whyNoCassandra` says why, in a sentence for the name of a skipped suite.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const VERSION = '5.0.4'
const STARTS_WITHIN_MS = 240_000
const STOPS_WITHIN_MS = 20_000

export interface CassandraNode {
  /** Where drivers reach it: an address and a port. */
  contact: string
  pid: number
  folder: string
  /** What `nodetool` prints for these words, such as `repair --full`; throws what it says if it fails. */
  tool(...words: string[]): Promise<string>
  isAlive(): boolean
  /** Such as SIGSTOP; nobody else is hit where it has ended. */
  signal(name: NodeJS.Signals): void
  /** `kill`: at once, as if the machine had failed. */
  stop(how?: 'gently' | 'kill'): Promise<void>
}

export interface CassandraOptions {
  /** Kept afterwards; without one, a new folder that goes with the node. */
  folder?: string
  heapMegabytes?: number
  port?: number
  /** Of cassandra.yaml, in the place of those that tests have. */
  settings?: Record<string, string>
  /** For who measures: compiled as well as Java can, which takes it a minute of work to get to. */
  isForSpeed?: boolean
  /** One of several that share this machine, so that each takes little of it. */
  among?: Place
}

interface Place {
  /** Its own addresses on loopback: for clients, and for its peers. The two differ so that it can be cut off from its peers alone. */
  host: string
  peerHost: string
  /** By which they speak to each other, and the first of them. */
  storagePort: number
  seed: string
  token: string
}

/** Why there can be none on this machine, or nothing if there can. */
export function whyNoCassandra(): string | undefined {
  if (!answers('java', ['--version'])) return 'no Java is installed'
  if (hasArtefacts()) return undefined
  return hasMaven() ? undefined : 'neither the artefacts of Cassandra nor mvn to fetch them are at hand'
}

/** Fetches what a node is made of, unless it is here. Throws where it cannot be had. */
export function fetchCassandra(): void {
  const why = whyNoCassandra()
  if (why) throw new Error(`Cassandra cannot be had: ${why}. Install Java 17 and Maven.`)
  if (!hasArtefacts()) fetchArtefacts()
}

/** Fetches what is missing, starts a node and waits until it answers. */
export async function startCassandra(options: CassandraOptions = {}): Promise<CassandraNode> {
  fetchCassandra()
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'freshet-cassandra-'))
  const port = options.port ?? (await freePort())
  const alone = { host: '127.0.0.1', peerHost: '127.0.0.1', seed: '127.0.0.1', token: '0' }
  const place = options.among ?? { ...alone, storagePort: await freePort() }
  const jmxPort = await freePort()
  writeConfiguration(folder, port, place, { ...(options.among && SHARED), ...options.settings })
  const before = existsSync(join(folder, 'node.log')) ? readFileSync(join(folder, 'node.log'), 'utf8').length : 0
  const log = openSync(join(folder, 'node.log'), 'a')
  const own = [
    ...(options.isForSpeed ? ['-XX:+UseParallelGC'] : ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']),
    `-Dcassandra.jmx.local.port=${jmxPort}`,
    ...(options.among ? ['-XX:ActiveProcessorCount=1'] : []),
  ]
  const child = spawn('java', javaArguments(folder, options.heapMegabytes ?? 512, own), {
    cwd: folder,
    stdio: ['ignore', log, log],
  })
  const contact = `${place.host}:${port}`
  await startup(child, folder, before)
  const stop = async (how: 'gently' | 'kill' = 'gently') => {
    await end(child, how)
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  }
  return {
    contact,
    pid: child.pid!,
    folder,
    tool: (...words) => nodetool(folder, jmxPort, words),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
    stop,
  }
}

/** Cassandra's own tool for who tends a machine, out of the same artefacts: it speaks to the node over JMX. */
async function nodetool(folder: string, jmxPort: number, words: readonly string[]): Promise<string> {
  const lib = join(cacheFolder(), 'lib')
  const java = ['-Xmx128m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:ActiveProcessorCount=1']
  const itself = [
    ...innerParts(),
    `-Duser.home=${folder}`,
    `-Dlogback.configurationFile=${join(folder, 'logback.xml')}`,
  ]
  const to = ['org.apache.cassandra.tools.NodeTool', '-h', '127.0.0.1', '-p', String(jmxPort)]
  try {
    const { stdout } = await promisify(execFile)('java', [...java, ...itself, '-cp', join(lib, '*'), ...to, ...words])
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`nodetool ${words.join(' ')} failed: ${`${stdout}\n${stderr}`.trim().slice(-2000)}`)
  }
}

function cacheFolder(): string {
  const base =
    process.env.FRESHET_CASSANDRA_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'freshet')
  return join(base, `cassandra-${VERSION}`)
}

function hasArtefacts(): boolean {
  return existsSync(join(cacheFolder(), 'whole'))
}

function hasMaven(): boolean {
  return answers('mvn', ['--version'])
}

function answers(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fetchArtefacts(): void {
  const folder = cacheFolder()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'pom.xml'), POM)
  const args = ['-q', '-B', '-f', join(folder, 'pom.xml'), 'dependency:copy-dependencies']
  execFileSync('mvn', [...args, `-DoutputDirectory=${join(folder, 'lib')}`], { stdio: ['ignore', 'ignore', 'inherit'] })
  // Written last: what was interrupted is fetched again.
  writeFileSync(join(folder, 'whole'), VERSION)
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>freshet</groupId>
  <artifactId>cassandra-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.cassandra</groupId>
      <artifactId>cassandra-all</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`

/**
 * Three on two cores, with a crawl beside them. What a machine misses while it is away nobody keeps for it, so that a repair has to find
 * it; and a log in small pieces notices at once that its disk is full. Threads are left alone: who waits for a disk or for a peer takes none of a core.
 */
const SHARED = {
  compaction_throughput: '16MiB/s',
  commitlog_segment_size: '1MiB',
  hinted_handoff_enabled: 'false',
}

function writeConfiguration(folder: string, port: number, place: Place, settings: Record<string, string>): void {
  const { host, peerHost, storagePort, seed, token } = place
  const own = { commitlog_sync: 'batch', concurrent_compactors: '1', auto_snapshot: 'false', ...settings }
  const inFolder = (name: string) => JSON.stringify(join(folder, name))
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'cassandra.yaml'),
    `cluster_name: freshet
num_tokens: 1
initial_token: "${token}"
auto_bootstrap: false
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${seed}:${storagePort}"
listen_address: ${peerHost}
storage_port: ${storagePort}
rpc_address: ${host}
native_transport_port: ${port}
data_file_directories: [${inFolder('data')}]
commitlog_directory: ${inFolder('commitlog')}
hints_directory: ${inFolder('hints')}
saved_caches_directory: ${inFolder('caches')}
cdc_raw_directory: ${inFolder('cdc')}
${Object.entries(own)
  .map(([name, value]) => `${name}: ${value}\n`)
  .join('')}`,
  )
  writeFileSync(
    join(folder, 'logback.xml'),
    `<configuration>
  <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%-5level %date{ISO8601} %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="out"/></root>
  <logger name="org.apache.cassandra.service.CassandraDaemon" level="INFO"/>
</configuration>
`,
  )
}

function javaArguments(folder: string, heapMegabytes: number, own: readonly string[]): string[] {
  const lib = join(cacheFolder(), 'lib')
  const agent = readdirSync(lib).find((name) => name.startsWith('jamm-'))
  return [
    `-Xms${heapMegabytes}m`,
    `-Xmx${heapMegabytes}m`,
    '-XX:+ExitOnOutOfMemoryError',
    ...own,
    `-javaagent:${join(lib, agent!)}`,
    `-Dcassandra.config=file://${join(folder, 'cassandra.yaml')}`,
    `-Dcassandra.storagedir=${folder}`,
    `-Dcassandra.logdir=${folder}`,
    `-Dlogback.configurationFile=${join(folder, 'logback.xml')}`,
    // Else it closes its standard output, and nobody hears that it has started.
    '-Dcassandra-foreground=yes',
    '-Dcassandra.ring_delay_ms=500',
    '-Dcassandra.skip_wait_for_gossip_to_settle=0',
    '-Djdk.attach.allowAttachSelf=true',
    ...innerParts(),
    '-cp',
    join(lib, '*'),
    'org.apache.cassandra.service.CassandraDaemon',
  ]
}

function innerParts(): string[] {
  const opened = (flag: string, names: string[]) => names.flatMap((name) => [flag, `${name}=ALL-UNNAMED`])
  return [...opened('--add-exports', EXPORTED), ...opened('--add-opens', OPENED)]
}

const EXPORTED = `java.base/jdk.internal.misc java.base/jdk.internal.ref java.base/sun.nio.ch
  java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry java.rmi/sun.rmi.server java.sql/java.sql
  java.base/java.lang.ref java.base/java.lang.reflect jdk.unsupported/sun.misc`.split(/\s+/)
const OPENED = `java.base/java.lang.module java.base/jdk.internal.loader java.base/jdk.internal.ref
  java.base/jdk.internal.reflect java.base/jdk.internal.math java.base/jdk.internal.module java.base/jdk.internal.util.jar
  jdk.management/com.sun.management.internal java.base/sun.nio.ch java.base/java.io java.base/java.nio java.base/java.util
  java.base/java.util.concurrent java.base/java.util.concurrent.atomic java.base/java.lang java.base/java.math
  java.base/java.lang.reflect java.base/java.net`.split(/\s+/)

async function startup(child: ChildProcess, folder: string, before: number): Promise<void> {
  const log = join(folder, 'node.log')
  const until = Date.now() + STARTS_WITHIN_MS
  while (Date.now() < until) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const said = readFileSync(log, 'utf8').slice(before)
    if (said.includes('Startup complete')) return
    if (said.includes('Exception encountered during startup')) break // its process may stay
    await setTimeout(250)
  }
  const said = readFileSync(log, 'utf8').trim().split('\n').slice(-12).join('\n')
  await end(child, 'kill')
  throw new Error(`Cassandra did not start, or not within ${STARTS_WITHIN_MS / 1000} s. Its last words:\n${said}`)
}

async function end(child: ChildProcess, how: 'gently' | 'kill'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(how === 'kill' ? 'SIGKILL' : 'SIGTERM')
  const patience = setTimeout(STOPS_WITHIN_MS, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  await Promise.race([ended, patience])
  await ended
}

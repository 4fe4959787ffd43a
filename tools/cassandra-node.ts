/**
 * Starts Cassandra for tests, benches and contributors, with one node or several on loopback. The server is the artifact that the project
 * publishes to Maven; it and its dependencies are downloaded once, by `mvn`, into a cache outside the repository. A node has its own
 * folder, a small heap and free ports, and is stopped by its process id.
 *
 * Java 17 restricts access to its internals; those that Cassandra uses are opened here. If Java or the artifacts are missing,
 * `whyNoCassandra` returns the reason, as a sentence for the name of a skipped suite.
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
  /** Host and port for clients. */
  contact: string
  pid: number
  folder: string
  /** The output of `nodetool` with these arguments, such as `repair --full`; throws its output if it fails. */
  tool(...words: string[]): Promise<string>
  isAlive(): boolean
  /** Sends a signal, such as SIGSTOP. Does nothing if the process has ended. */
  signal(name: NodeJS.Signals): void
  /** `kill`: at once, like a machine failure. */
  stop(how?: 'gently' | 'kill'): Promise<void>
}

export interface CassandraOptions {
  /** Kept afterwards. Default: a new folder that is removed with the node. */
  folder?: string
  heapMegabytes?: number
  port?: number
  /** Settings of cassandra.yaml that override those for tests. */
  settings?: Record<string, string>
  /** For benchmarks: with Java's optimizing compiler, which takes a minute of CPU to warm up. */
  isForSpeed?: boolean
  /** One of several nodes on this machine, so each gets fewer resources. */
  among?: Place
}

interface Place {
  /** Its own loopback addresses, for clients and for peers. They differ so that it can be cut off from its peers alone. */
  host: string
  peerHost: string
  /** Addresses for peers, and the seed node. */
  storagePort: number
  seed: string
  token: string
}

/** The reason why Cassandra cannot run on this machine; undefined if it can. */
export function whyNoCassandra(): string | undefined {
  if (!answers('java', ['--version'])) return 'no Java is installed'
  if (hasArtefacts()) return undefined
  return hasMaven() ? undefined : 'neither the artefacts of Cassandra nor mvn to fetch them are at hand'
}

/** Downloads Cassandra unless it is cached. Throws if that fails. */
export function fetchCassandra(): void {
  const why = whyNoCassandra()
  if (why) throw new Error(`Cassandra cannot be had: ${why}. Install Java 17 and Maven.`)
  if (!hasArtefacts()) fetchArtefacts()
}

/** Downloads what is missing, starts a node and waits until it responds. */
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

/** Cassandra's own admin tool, from the same artifacts. It connects to the node over JMX. */
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
  // Written last, so that an interrupted download is repeated.
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
 * Three nodes on two cores, with a crawl beside them. Hinted handoff is off, so that a repair has to restore what a node missed; small
 * commit log segments detect a full disk at once. Thread counts are unchanged: threads that wait for disk or peers use no CPU.
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
    // Otherwise it closes its standard output, and its start cannot be seen.
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
    const logText = readFileSync(log, 'utf8').slice(before)
    if (logText.includes('Startup complete')) return
    if (logText.includes('Exception encountered during startup')) break // the process may keep running
    await setTimeout(250)
  }
  const logText = readFileSync(log, 'utf8').trim().split('\n').slice(-12).join('\n')
  await end(child, 'kill')
  throw new Error(`Cassandra did not start, or not within ${STARTS_WITHIN_MS / 1000} s. Its last words:\n${logText}`)
}

async function end(child: ChildProcess, how: 'gently' | 'kill'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(how === 'kill' ? 'SIGKILL' : 'SIGTERM')
  const patience = setTimeout(STOPS_WITHIN_MS, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  await Promise.race([ended, patience])
  await ended
}

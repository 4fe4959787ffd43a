#!/usr/bin/env node
/**
 * Starts Freshet, which needs Node 24. On an older Node it runs the Node 24 that npm installed beside it (an optional dependency, a plain
 * binary) and only forwards terminal, arguments, signals and the exit code. This file is plain old JavaScript because an old Node has to be
 * able to read it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = 24

const words = process.argv.slice(2)

/** Commands that run until they are stopped. */
const LONG_RUNNING = ['run', 'serve', 'demo', 'controller', 'fetcher', 'indexer']
/**
 * glibc gives each thread an arena of its own, up to eight per core, and memory that is freed in one cannot be used by another: 25 MB with
 * 1,000 feeds. It also keeps ever larger freed blocks: about another 10 MB. The limits are only read when a process starts.
 */
const SMALL_ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' }
/** Makes V8 prefer memory to speed, in all threads: 30 MB less with 1,000 feeds, for 5 % more CPU. Also read only at the start. */
const SMALL_HEAPS = '--optimize-for-size'

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  console.log(modules.createRequire(import.meta.url)('../package.json').version) // no need to load the program
} else if (majorOf(process.version) >= NEEDED) {
  startSmaller()
  start()
} else {
  const newer = findNewerNode()
  if (newer) startAgain(newer)
  else
    giveUp(`Freshet needs Node ${NEEDED} or newer, and this is ${process.version}: please install it from nodejs.org.`)
}

/** In a checkout the sources run directly; the published package contains only built files. */
async function start() {
  silenceTypeStripping()
  // From the second start on, types are already stripped and code is compiled: that saves time, and 25 MB.
  modules.enableCompileCache()
  const isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url))
  const load = (name) => import(new URL(isCheckout ? `../src/${name}.ts` : `../dist/${name}.js`, import.meta.url).href)
  try {
    const { keepHeapSmall } = await load('app/heap')
    if (!asksForHelp()) keepHeapSmall()
    await load('cli/main')
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

/** Replaces a long-running process by one that takes less memory. Returns if there is nothing to do. */
function startSmaller() {
  const isDone = process.platform !== 'linux' || 'MALLOC_ARENA_MAX' in process.env
  if (isDone || !runsOn() || process.channel || !process.execve) return
  const self = fileURLToPath(import.meta.url)
  const same = [process.execPath, SMALL_HEAPS, ...process.execArgv, self, ...words]
  try {
    process.execve(process.execPath, same, { ...process.env, ...SMALL_ALLOCATOR })
  } catch {
    // Refused, for example by Node's permission model: run with the default memory settings.
  }
}

function runsOn() {
  return LONG_RUNNING.includes(words.find((word) => !word.startsWith('-'))) && !asksForHelp()
}

/** Short commands skip this: it would double the time of --help. */
function asksForHelp() {
  return words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')
}

/** The first releases of Node 24 warn that running TypeScript is experimental. All other warnings are printed. */
function silenceTypeStripping() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('Type Stripping is an experimental')) emitWarning.call(process, warning, ...rest)
  }
}

function findNewerNode() {
  const name = `node-${process.platform}-${process.arch}`
  const require = modules.createRequire(import.meta.url)
  try {
    const manifest = require.resolve(`${name}/package.json`)
    const binary = join(dirname(manifest), 'bin', 'node')
    // Checks the version, so that it can never start itself in a loop.
    return majorOf(require(manifest).version) >= NEEDED && existsSync(binary) ? binary : undefined
  } catch {
    return undefined // not installed: another platform, or optional dependencies were left out
  }
}

function startAgain(node) {
  const self = fileURLToPath(import.meta.url)
  const env = { ...SMALL_ALLOCATOR, ...process.env }
  const flags = runsOn() ? [SMALL_HEAPS, ...process.execArgv] : process.execArgv
  const child = spawn(node, [...flags, self, ...words], { stdio: 'inherit', env })
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl+C in a terminal reaches the child directly; forwarding it would count as a second one.
      if (signal !== 'SIGINT' || !atTerminal) child.kill(signal)
    })
  }
  child.on('error', (error) => giveUp(`Freshet could not start ${node}: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

function majorOf(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10)
}

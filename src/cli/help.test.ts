/** The cost of --help, its form, and that the list of commands matches the commands. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { COMMANDS } from './command-list.ts'
import { commandsPage, SILENT_TERMINAL } from './commands-page.ts'
import { createIo } from './io.ts'
import { runCommandLine } from './program.fixture.ts'

const ROOT = join(import.meta.dirname, '../..')
const LAUNCHER = join(ROOT, 'bin/freshet.js')

/** Prints which files were loaded when the program ends. */
const WITNESS = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded.push(url)
    return next(url, context)
  },
})
process.on('exit', () => process.stderr.write(loaded.join('\\n')))
`)}`

it('prints --version without loading any module', () => {
  for (const word of ['--version', '-V']) {
    const { stdout, loaded } = launch(word)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(loaded.length).toBeLessThan(3) // the launcher and package.json
  }
})

it('lists the commands without loading any of them', () => {
  const { stdout, loaded } = launch('--help')
  expect(stdout).toContain('add <address...>')
  expect(loaded.filter((file) => /src\/(?!cli\/|model\/|app\/heap)|cli\/commands\//.test(file))).toEqual([])
  expect(loaded.length).toBeLessThan(46)
})

it('reports an unknown command, and shows no internals of commander', async () => {
  const { code, notes } = await runCommandLine(['help', 'feedz'], { environment: {} })
  expect([code, notes]).toEqual([2, expect.stringMatching(/unknown command 'feedz'\n.*feeds/)])
  expect((await runCommandLine(['run', '--help'], { environment: {} })).out.join('\n')).not.toContain('preset')
})

it('loads only the command that is used', () => {
  const { loaded } = launch('feeds', '--help')
  expect(loaded.filter((file) => /cli\/commands\//.test(file)).map((file) => file.replace(/.*\//, ''))).toEqual([
    'feeds.ts',
  ])
  expect(loaded.filter((file) => file.includes('src/lab/'))).toEqual([])
})

it.each(COMMANDS)('lists $name with its own arguments', async ({ name, args }) => {
  const { code, out } = await runCommandLine([name, '--help'], { environment: {} })
  expect(code).toBe(0)
  expect(out.join('\n').split('\n')[0]).toBe(`Usage: freshet ${name} [options] ${args}`.trim())
})

it.each(COMMANDS)('describes $name in short imperative sentences, with examples', async ({ load, name, summary }) => {
  const command = new Command(name)
  ;(await load())(command, createIo(SILENT_TERMINAL))
  expect(summary).toMatch(/^[A-Z].{0,79}$/)
  for (const one of [command, ...command.commands]) {
    expect(one.description().split('\n')[0]).toMatch(/^[A-Z].{0,98}\.$/)
    for (const { flags, description } of one.options) {
      expect(description.replace(/ \(default: .*\)$/, '').length, flags).toBeLessThanOrEqual(100)
      expect(description, flags).toMatch(/^[A-Z].*[.)]$/)
    }
  }
  expect((await runCommandLine([name, '--help'], { environment: {} })).out.join('\n')).toContain('\nExamples:\n')
})

it('groups the options of a command, and lists only those that it uses', async () => {
  const help = (await runCommandLine(['add', '--help'], { environment: {} })).out.join('\n')
  const headings = [...help.matchAll(/^(.*[Oo]ptions):$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(['Options', 'General options', 'Advanced options'])
  expect(help.match(/^ +--/gm)!.length).toBeLessThan(32)
  expect(help).not.toMatch(/--(keep-entries|queue-name|port) /)
})

it('groups the commands', async () => {
  const help = (await runCommandLine(['--help'], { environment: {} })).out.join('\n')
  const headings = [...help.matchAll(/^(Read|Manage|Data|Operate|Lab):$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(['Read', 'Manage', 'Data', 'Operate', 'Lab'])
})

it('describes every command in docs/commands.md', async () => {
  expect(readFileSync(join(ROOT, 'docs/commands.md'), 'utf8')).toBe(await commandsPage())
})

it('treats help COMMAND as COMMAND --help', async () => {
  const help = await runCommandLine(['help', 'lab', 'replay'], { environment: {} })
  expect(help).toEqual(await runCommandLine(['lab', 'replay', '--help'], { environment: {} }))
  expect(help.out.join('\n')).toContain('--traces')
})

function launch(...words: string[]): { stdout: string; loaded: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', WITNESS, LAUNCHER, ...words], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(status, stderr).toBe(0)
  return { stdout, loaded: stderr.split('\n').filter((line) => line.startsWith('file:')) }
}

/** The built program as a process: real sockets, signals and files. Few tests, because each takes a second. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clocks/index.ts'
import { createVillage, type Village } from '../../src/lab/index.ts'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'dist/cli/main.js')
let village: Village
let closeVillage: () => Promise<void>
let folder: string
let started: ChildProcess[] = []

beforeAll(async () => {
  execFileSync(process.execPath, ['tools/build.ts'], { cwd: root, timeout: 120_000 })
  village = createVillage({
    clock: systemClock(),
    sites: [
      { name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed' }] },
      { name: 'snail', title: 'Snail Mail', feeds: [{ path: '/feed', fault: { kind: 'slow' } }] },
    ],
  })
  closeVillage = (await village.listen()).close
})
afterAll(() => closeVillage())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-e2e-'))
})
afterEach(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL')
  started = []
  rmSync(folder, { recursive: true, force: true })
})

function start(...words: string[]) {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128', FRESHET_HOST_GAP: '100ms' },
  })
  started.push(child)
  let output = ''
  let hasEnded = false
  let more = Promise.withResolvers<void>()
  const tell = () => {
    more.resolve()
    more = Promise.withResolvers()
  }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      tell()
    })
  child.on('close', () => {
    hasEnded = true
    tell()
  })
  return {
    child,
    output: () => output,
    ended: once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, output })),
    /** Resolves with the groups of the pattern, as soon as the output matches. */
    async says(pattern: RegExp): Promise<string> {
      for (;;) {
        const match = pattern.exec(output)
        if (match) return match[1] ?? match[0]
        if (hasEnded) throw new Error(`waited in vain for ${pattern}; output:\n${output}`)
        await more.promise
      }
    },
  }
}

const freshet = (...words: string[]) => start(...words).ended
const feedsOf = async () =>
  (await freshet('feeds', '--json')).output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
/** How often the Gazette's feed was requested. Its article pages are fetched at the same time and do not count. */
const pollCount = () => village.requests.filter(({ url }) => url === village.site('gazette').feeds[0]?.url).length
const PAGE = /the page and the API are at (\S+)/

describe('the built program', () => {
  it('runs, adds a site from a second process, stops cleanly, and continues after a restart', async () => {
    const run = start('run', '--port', '0')
    const url = await run.says(PAGE)
    await run.says(/no feed yet: add one on the page/)
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true })
    const [script] = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(`${url}/read/all`)).text()) ?? []
    expect((await fetch(`${url}${script}`)).status).toBe(200) // the package contains the page

    expect((await freshet('add', village.site('gazette').home)).output).toMatch(/added: feed 1, The Gazette/)
    const { entries } = (await (await fetch(`${url}/api/v1/entries`)).json()) as { entries: unknown[] }
    expect(entries.length).toBeGreaterThan(5)
    expect((await freshet('status')).output).toMatch(/1 feed active/)

    const second = await freshet('run', '--port', '0')
    expect(second).toMatchObject({ code: 3 })
    expect(second.output).toMatch(/in use by process \d+[\s\S]*hint: /)

    run.child.kill('SIGTERM')
    expect(await run.ended).toMatchObject({ code: 0 })
    const requestsBefore = pollCount()
    const [before] = await feedsOf()

    const again = start('run', '--port', '0', '--for', '2s')
    await again.says(/1 feed, \d+ entries/)
    expect(await again.ended).toMatchObject({ code: 0 })
    expect(pollCount()).toBe(requestsBefore)
    expect(await feedsOf()).toEqual([before])
  })

  it('stops in a bounded time while a feed is slow, and releases its lease', async () => {
    writeFileSync(
      join(folder, 'list.opml'),
      `<opml><body><outline xmlUrl="${village.site('snail').feeds[0]!.url}"/></body></opml>`,
    )
    const requestsBefore = village.requests.length
    const run = start('run', 'list.opml', '--port', '0', '--timeout', '10m') // the feed may be slow for that long
    await run.says(PAGE)
    while (village.requests.length === requestsBefore) await new Promise((resolve) => setTimeout(resolve, 50))
    run.child.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 0 })
    const [feed] = await feedsOf()
    const dueInMs = Date.parse(feed.schedule.dueAt) - Date.now()
    expect(dueInMs).toBeGreaterThan(0) // its server has received the request
    expect(dueInMs).toBeLessThan(10 * 60_000)
  })

  it('reports that another program locks the store, and continues when the lock is gone', async () => {
    const run = start(
      'run',
      village.site('gazette').home,
      '--port',
      '0',
      '--strategy',
      'fixed:1s',
      '--min-interval',
      '1s',
    )
    const url = await run.says(PAGE)
    await run.says(/found the feed/)
    const neighbour = new Database(join(folder, 'freshet.db'))
    neighbour.exec('BEGIN IMMEDIATE')
    await run.says(/another program has locked it .* retrying until it works/)
    const ill = await fetch(`${url}/healthz`)
    expect([ill.status, await ill.json()]).toMatchObject([503, { ok: false, hint: expect.stringMatching(/Close/) }])
    neighbour.exec('ROLLBACK')
    neighbour.close()
    await run.says(/the store works again/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    run.child.kill('SIGTERM')
    expect(await run.ended).toMatchObject({ code: 0 })
  })

  it('has everything it acknowledged after kill -9, and starts again at once', async () => {
    const run = start('run', village.site('gazette').home, '--port', '0')
    await run.says(/found the feed/)
    run.child.kill('SIGKILL')
    await run.ended
    const [feed] = await feedsOf()
    expect(feed).toMatchObject({ title: 'The Gazette' })
    expect((await freshet('run', '--once')).code).toBe(0)
  })

  it('repeats a webhook delivery that was not acknowledged before kill -9, under the same id', async () => {
    const shapes: { id: unknown; ids: number[] }[] = []
    let died: Promise<unknown> | undefined
    const receiver = createHttpServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const { entries } = JSON.parse(body).data as { entries: { id: number }[] }
      shapes.push({ id: request.headers['webhook-id'], ids: entries.map(({ id }) => id) })
      if (died) return response.writeHead(204).end()
      run.child.kill('SIGKILL') // the outcome was received, but never acknowledged
      died = run.ended
      return response.destroy()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as { port: number }
    let run = start('run', '--port', '0')
    const url = await run.says(PAGE)
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(answer.status).toBe(201)
      return (await answer.json()) as { id: number }
    }
    const { id: search } = await post('searches', { name: 'All', query: 'feed:1' })
    await post('webhooks', { name: 'bot', url: `http://127.0.0.1:${port}/in`, search })
    await freshet('add', village.site('gazette').home).catch(() => {}) // the killed process may not have answered
    while (!died) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await died).toMatchObject({ signal: 'SIGKILL' })
    expect(shapes).toHaveLength(1)

    run = start('run', '--port', '0')
    const again = await run.says(PAGE)
    while (shapes.length < 2) await new Promise((resolve) => setTimeout(resolve, 50))
    const settled = async () => {
      const { webhooks } = (await (await fetch(`${again}/api/v1/webhooks`)).json()) as { webhooks: { last?: object }[] }
      return webhooks[0]
    }
    while ((await settled())?.last === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await settled()).toMatchObject({ state: 'active', failures: 0, last: { status: 204 } })
    expect(shapes[1]).toEqual(shapes[0])
    expect(shapes[0]!.ids.length).toBeGreaterThan(0)
    run.child.kill('SIGTERM')
    await run.ended
    receiver.close()
  })
})

describe('bad input', () => {
  it('names a file that is not a database, and leaves it unchanged', async () => {
    const file = join(folder, 'freshet.db')
    writeFileSync(file, 'this is a shopping list\n'.repeat(1000))
    const before = readFileSync(file)
    for (const words of [['run', '--port', '0'], ['feeds'], ['add', village.site('gazette').home]]) {
      const { code, output } = await freshet(...words)
      expect(code).toBe(3)
      expect(output).toMatch(/^freshet: .*freshet\.db.*\nhint: .+\n$/)
    }
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('names a store of a newer version, and leaves it unchanged', async () => {
    await freshet('add', village.site('gazette').home)
    const file = join(folder, 'freshet.db')
    const database = new Database(file)
    database.pragma('user_version = 99999')
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
    const before = readFileSync(file)
    const { code, output } = await freshet('run', '--port', '0')
    expect(code).toBe(3)
    expect(output).toMatch(/newer[\s\S]*hint: /)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('names a folder that cannot be written', async () => {
    const { code, output } = await freshet('run', '--port', '0', '--store', '/proc/freshet/freshet.db')
    expect(code).toBe(3)
    expect(output).toMatch(/^freshet: .*\/proc\/freshet.*\nhint: .+\n$/)
  })

  it('names a port in use, and adds nothing', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { code, output } = await freshet('run', village.site('gazette').home, '--port', String(port))
    taken.close()
    expect(code).toBe(1)
    expect(output).toMatch(new RegExp(`^freshet: port ${port}.* in use.*\\nhint: .+\\n$`))
    expect((await freshet('status')).output).toMatch(/0 feeds active[\s\S]*0 entries/)
  })
})

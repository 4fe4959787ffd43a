/**
 * newsboat, an independent feed reader from Debian, against the running program, over the Miniflux and Google Reader APIs (it calls the
 * latter FeedHQ). If it is not installed, src/server/readers covers its kind of requests.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog, defaultConfig, openCrawl, startServer } from '../../src/app/index.ts'
import type { UserId } from '../../src/model/index.ts'
import type { Store } from '../../src/ports/index.ts'
import { draft, newFeed, record } from '../../src/ports/store-samples.contract.ts'
import { createAccounts } from '../../src/server/index.ts'

const run = promisify(execFile)
const isThere = spawnSync('newsboat', ['--version']).status === 0
const PASSWORD = 'correct horse battery'

/** Two feeds, one in a folder, with three entries that are unread and one that is read. */
async function fill(store: Store, userId: UserId): Promise<void> {
  const now = Date.now()
  const feeds = await store.addFeeds([newFeed('tides', { title: 'Tides' }), newFeed('bread', { title: 'Bread' })])
  const [tides, bread] = feeds.map(({ id }) => id)
  const entries = ['High water', 'Low water', 'Slack water'].map((title, i) =>
    draft(title, {
      title,
      url: `https://tides.example/${i}` as never,
      content: `<p>${title}</p>`,
      publishedAt: now - i * 60_000,
    }),
  )
  await store.recordPolls([
    record(tides!, now, { fresh: entries }),
    record(bread!, now, { fresh: [draft('Rye', { title: 'Rye' })] }),
  ])
  await store.follow(userId, [{ feedId: tides!, folder: 'Sea' }, { feedId: bread! }], now, 30)
  const { arrivals } = await store.arrivalsFor(userId, { order: 'newest', limit: 1 })
  await store.markEntries(
    userId,
    arrivals.map(({ id }) => id),
    'read',
    now,
  )
}

describe.skipIf(!isThere)('newsboat (skipped if it is not installed)', () => {
  let folder: string
  let server: { url: string; close(): Promise<void> }
  let crawl: Awaited<ReturnType<typeof openCrawl>>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'freshet-newsboat-'))
    const config = { ...defaultConfig(), store: join(folder, 'test.db'), port: 0 }
    crawl = await openCrawl(config)
    const log = createLog({ level: 'silent', format: 'text', write() {}, now: crawl.clock.now })
    const ada = await createAccounts({ users: crawl.store, clock: crawl.clock }).add('ada', PASSWORD)
    await fill(crawl.store, ada.id)
    server = await startServer(config, crawl, log)
  })
  afterAll(async () => {
    await server.close()
    await crawl.close(0)
    rmSync(folder, { recursive: true, force: true })
  })

  /** Without a screen it does what it is told, and prints how many articles are unread. */
  async function newsboat(settings: string[], ...commands: string[]): Promise<string> {
    const home = mkdtempSync(join(folder, 'home-'))
    writeFileSync(join(home, 'config'), settings.map((line) => `${line}\n`).join(''))
    const files = ['-C', join(home, 'config'), '-c', join(home, 'cache.db'), '-u', join(home, 'urls')]
    writeFileSync(join(home, 'urls'), '')
    const env = { ...process.env, HOME: home, LC_ALL: 'C.UTF-8' }
    const { stdout } = await run('newsboat', [...files, '-x', ...commands], { env, timeout: 60_000 })
    return stdout
  }

  it('reads via the Miniflux API', async () => {
    const settings = [
      'urls-source "miniflux"',
      `miniflux-url "${server.url}"`,
      'miniflux-login "ada"',
      `miniflux-password "${PASSWORD}"`,
    ]
    expect(await newsboat(settings, 'reload', 'print-unread')).toMatch(/^3 unread articles/m)
  })

  it('reads via the Google Reader API', async () => {
    const settings = [
      'urls-source "feedhq"',
      `feedhq-url "${server.url}/api/greader.php"`,
      'feedhq-login "ada"',
      `feedhq-password "${PASSWORD}"`,
      'feedhq-show-special-feeds "no"',
    ]
    expect(await newsboat(settings, 'reload', 'print-unread')).toMatch(/^3 unread articles/m)
  })

  it('is rejected with a wrong password', async () => {
    const settings = [
      'urls-source "miniflux"',
      `miniflux-url "${server.url}"`,
      'miniflux-login "ada"',
      'miniflux-password "wrong horse"',
    ]
    const ended = await newsboat(settings, 'reload', 'print-unread').catch(
      (error: { code?: number }) => `code ${error.code}`,
    )
    expect(ended).not.toMatch(/3 unread/)
  })
})

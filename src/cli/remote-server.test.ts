/** The command line with a remote server: over real sockets, with accounts, and without a local store. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { TOTP_STEP_MS, totpCode } from '../credentials/totp.ts'
import { type EntryId, type FeedId, HOUR } from '../model/index.ts'
import { createAccounts } from '../server/index.ts'
import { COMMANDS } from './command-list.ts'
import type { Screen } from './io.ts'
import { runCommandLine } from './program.fixture.ts'

const PASSWORD = 'correct horse battery'
let folder: string
let stage: ReturnType<typeof createServerFixture>
let url: string
let close: () => Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-far-'))
  stage = createServerFixture()
  await createAccounts({ users: stage.store, clock: stage.clock }).add('ada', PASSWORD)
  await stage.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    folder: 'Sea',
    entries: [
      { title: 'High water', agoMs: HOUR, summary: '<p>It rises.</p>', url: 'https://tides.example/1' },
      { title: 'Low water', agoMs: 2 * HOUR },
    ],
  })
  await stage.addFeed({ url: 'https://bread.example/feed', title: 'Bread', trouble: { kind: 'http', status: 503 } })
  await stage.index()
  ;({ url, close } = await stage.listen(0))
})
afterEach(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

/** There is no local store, and none is created. */
const environment = () => ({
  FRESHET_STORE: join(folder, 'none.db'),
  FRESHET_PROFILES: join(folder, 'settings', 'profiles.json'),
})
const freshet = (words: string[], more: Record<string, string> = {}, io = {}) =>
  runCommandLine(words, { environment: { ...environment(), ...more }, ...io })
const stdin = (text: string) => ({
  stdin: async function* () {
    yield Buffer.from(text)
  },
})

async function loggedIn(): Promise<void> {
  const { code, notes } = await freshet(
    ['login', url, '--name', 'ada', '--password-stdin', '--as', 'home'],
    {},
    stdin(PASSWORD),
  )
  if (code !== 0) throw new Error(notes)
}
const there = (...words: string[]) => freshet([...words, '--server', 'home'])
const text = async (...words: string[]) => {
  const { code, out, notes } = await there(...words)
  if (code !== 0) throw new Error(notes)
  return out.join('\n')
}

describe('freshet login', () => {
  it('creates a token with name and password, and saves it readable by its owner only', async () => {
    const { out } = await freshet(['login', url, '--name', 'ada', '--password-stdin'], {}, stdin(PASSWORD))
    expect(out[0]).toMatch(/^logged in at http.* as ada, and may do everything; saved in /)
    const file = join(folder, 'settings', 'profiles.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject([{ name: '127.0.0.1', url, user: 'ada' }])
    expect((await freshet(['login'])).out.join('\n')).toMatch(/127\.0\.0\.1 +http.* +ada/)
    expect((await freshet(['login'])).out.join('\n')).not.toContain('freshet_')
    const [user] = await stage.store.allUsers()
    expect(await stage.store.credentialsOf(user!.id, stage.clock.now())).toMatchObject(
      [{ kind: 'token', name: /^freshet on / }].map(() => ({ kind: 'token' })),
    )
  })

  it('asks for the code of a second factor', async () => {
    const [ada] = await stage.store.allUsers()
    const secrets = JSON.stringify({ secret: 'GEZDGNBVGY3TQOJQ', recoveryCodes: [] })
    const value = { addedAt: 0, secrets }
    await stage.store.putUserValues(ada!.id, 'secondFactor', [{ key: 'active', value }], 0)
    const words = ['login', url, '--name', 'ada', '--password-stdin']
    expect((await freshet(words, {}, stdin(PASSWORD))).notes).toMatch(/cannot prompt for the code/)
    const code = totpCode('GEZDGNBVGY3TQOJQ', Math.floor(stage.clock.now() / TOTP_STEP_MS))
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return code
    }
    expect((await freshet(words, {}, { ...stdin(PASSWORD), ask })).code).toBe(0)
    expect(questions).toEqual(['code of your second factor: '])
  })

  it('prompts for name and password, or accepts a token', async () => {
    const questions: [string, boolean][] = []
    const ask = async (question: string, isHidden: boolean) => {
      questions.push([question, isHidden])
      return question.startsWith('name') ? 'ada' : PASSWORD
    }
    expect((await freshet(['login', url], {}, { ask })).code).toBe(0)
    expect(questions).toEqual([
      ['name: ', false],
      ['password: ', true],
    ])
    const [{ token }] = JSON.parse(await readFile(join(folder, 'settings', 'profiles.json'), 'utf8'))
    expect((await freshet(['login', url, '--as', 'other'], { FRESHET_TOKEN: token })).code).toBe(0)
    expect((await freshet(['feeds', '--server', 'other'])).code).toBe(0)
  })

  it.each([
    [['login', 'news.example.org'], '', /not the address of a server\nhint: give it with its scheme/],
    [['login', 'URL', '--name', 'ada', '--password-stdin'], 'wrong horse battery', /wrong user name or password/],
    [['login', 'URL'], '', /cannot prompt for name and password here\nhint: give --name/],
    [['login', 'URL', '--token', 'freshet_wrong'], '', /rejects this token/],
    [['login', 'URL', '--name', 'ada', '--password-stdin', '--scope', 'all'], PASSWORD, /not a valid scope/],
    [['logout'], '', /there are 0 logins/],
    [['feeds', '--server', 'nowhere'], '', /there is no login "nowhere"/],
    [['feeds', '--server', 'ftp://a.example'], '', /--server cannot be "ftp:/],
    [['feeds', '--server', 'URL', '--store', 'x.db'], '', /cannot be combined/],
  ])('rejects %j with a hint', async (words, typed, message) => {
    const { code, notes } = await freshet(
      words.map((word) => (word === 'URL' ? url : word)),
      {},
      stdin(typed),
    )
    expect([code, notes]).toEqual([2, expect.stringMatching(message)])
  })

  it('is undone by logout, which revokes and forgets the token', async () => {
    await loggedIn()
    const [{ token }] = JSON.parse(await readFile(join(folder, 'settings', 'profiles.json'), 'utf8'))
    expect((await freshet(['logout'])).out).toEqual([`logged out: home, ${url}`])
    const { code, notes } = await freshet(['feeds'], { FRESHET_SERVER: url, FRESHET_TOKEN: token })
    expect([code, notes]).toEqual([1, expect.stringMatching(/401.*\nhint: freshet login http/)])
    expect((await freshet(['login', '--json'])).out).toEqual(['{"logins":[]}'])
  })

  it('slows down password guessing', async () => {
    const guess = () => freshet(['login', url, '--name', 'ada', '--password-stdin'], {}, stdin('wrong horse battery'))
    for (let i = 0; i < 5; i++) await guess()
    expect((await guess()).notes).toMatch(/too many login attempts/)
  })
})

describe('with --server', () => {
  beforeEach(loggedIn)

  it('lists, shows, searches and counts as with a local store', async () => {
    expect(await text('feeds')).toMatch(/1 {2}Tides .*\n.*2 {2}Bread/)
    expect(await text('feeds', '--failing', '--json')).toMatch(/"title":"Bread"/)
    expect(await text('entries')).toMatch(/High water.*\n.*Low water/)
    expect(await text('entries', 'high', '--json')).toMatch(/"found":/)
    expect(await text('entries', '--folder', 'Sea', '--feed', 'tides', '--limit', '1')).not.toMatch(/Low/)
    expect(await text('show', 'Tides')).toMatch(/last polls\n[\s\S]*last entries\n.*High water/)
    expect(await text('show', 'https://bread.example/feed')).toMatch(/503/)
    expect(await text('show', 'e1')).toMatch(/High water[\s\S]*It rises\./)
    expect(await text('read', 'e1')).toMatch(/^High water\n[\s\S]*It rises\./)
    expect(await text('status')).toMatch(new RegExp(`^${url}: .*\\n2 feeds active`))
    expect(await text('status', '--stats', '--since', '2026-01-01')).toMatch(/2 entries/)
    expect(await text('status', '--hubs')).toMatch(/WebSub/)
    expect(await text('stories', '--json')).toBe('')
    expect(await text('copies', 'e1')).toMatch(/no copies/)
    expect(await text('goal')).toMatch(/polls a day in all/)
    await expect(text('show', '9')).rejects.toThrow('there is no feed 9')
    await expect(text('entries', 'feed:nobody')).rejects.toThrow(/^freshet: no feed is called/)
    await expect(text('entries', '--folder', 'Sand')).rejects.toThrow('there is no folder "Sand"')
    expect(await text('feeds', '--category', '')).toMatch(/Tides/)
  })

  it('has the hourly series and rounds as with a local store', async () => {
    const hours = await text('export', 'hours', '--feed', 'Tides', '--csv')
    expect(hours).toMatch(
      /^at,entries,copies\n2026-03-14T07:00:00.000Z,1,0\n2026-03-14T08:00:00.000Z,1,0\n.*T09.*,0,0$/,
    )
    expect(await text('export', 'hours', '--folder', 'Sea', '--csv')).toBe(hours)
    expect(await text('export', 'hours', '--csv')).toMatch(/^at,entries,copies,polls,failed,bytes\n/)
    await expect(text('export', 'hours', '--category', 'poetry')).rejects.toThrow('no feed is in the category "poetry"')
    await stage.pollBy('adva-rss', 1 as FeedId, 7)
    expect(await text('show', 'Tides')).toMatch(
      /\nrounds: M, T and ToE after each poll, from the log over 6h\n {2}M {4}[▁-█]{7} {2}/,
    )
  })

  it('uses the read state of the logged-in user', async () => {
    const ada = (await stage.store.userByName('ada'))!.id
    await stage.store.unfollow(ada, [{ feedId: 1 as FeedId }])
    await stage.store.follow(ada, [{ feedId: 1 as FeedId, folder: 'Sea' }], stage.clock.now(), 10)
    expect(await text('entries', '--unread')).toMatch(/High water.*\n.*Low water/)
    expect(await text('entries', 'water', 'is:unread', '--json')).toMatch(/"id":1[\s\S]*"id":2/)
    expect(await text('mark', 'e1')).toMatch(/^1 entry read; undo with freshet mark --undo \d+$/)
    expect(await text('entries', '--unread')).not.toMatch(/High/)
    expect(await text('entries', 'water', 'is:unread', '--json')).not.toMatch(/"id":1\b/)
    expect(await text('entries', 'water', 'is:read', '--json')).toMatch(/"id":1\b/)
    expect(await text('mark', 'e2', '--star')).toBe('1 entry starred')
    expect(await text('entries', '--starred')).toMatch(/Low water/)
    const [, change = ''] = /--undo (\d+)/.exec(await text('mark', '--folder', 'Sea')) ?? []
    expect(await text('entries', '--unread')).toBe('')
    expect(await text('mark', '--undo', change)).toBe('1 entry restored')
    expect(await text('search', 'save', 'Wet', 'water', 'is:unread')).toBe('saved: Wet')
    expect(await text('search', 'list')).toMatch(/Wet.*water is:unread/)
    expect((await stage.store.entryStates(ada, [1, 2] as EntryId[])).map(({ read }) => read)).toEqual([true, false])
  })

  it('rejects --user, because the login selects the user', async () => {
    await expect(text('mark', 'e1', '--user', 'bob')).rejects.toThrow('is a remote server')
  })

  it('changes feeds, folders and accounts', async () => {
    expect(await text('pause', '1')).toBe('paused: feed 1, Tides')
    expect(await text('resume', '1')).toBe('resumed: feed 1, Tides')
    expect(await text('edit', '1', '--title', 'The Tides')).toBe('changed: feed 1, The Tides')
    expect(await text('goal', '--folder', 'Sea', '--within', '10m')).toBe('Sea: within 10m')
    await expect(text('goal', '--folder', 'Se', '--within', '10m')).rejects.toThrow('there is no folder "Se"')
    expect(await text('regroup')).toMatch(/the running crawl groups .* again/)
    expect((await there('poll', '1')).out.join()).toMatch(/visited a moment ago/)
    const soon = { interrupted: AbortSignal.timeout(1000) } // nobody looks for it here
    const added = await freshet(['add', 'https://new.example/feed.xml', '--json', '--server', 'home'], {}, soon)
    expect(added.out.join()).toMatch(/"looking".*https:\/\/new\.example/)
    expect(await text('user', 'add', 'bob', '--scope', 'read')).toMatch(/^bob may read\npassword/)
    expect(await text('token', 'add', 'bob', '--name', 'reader')).toMatch(/only shown now:\nfreshet_/)
    expect(await text('remove', '2')).toBe('removed: feed 2, Bread')
    expect((await stage.store.feedsById([2 as never]))[0]).toBeUndefined()
  })

  it('exports everything except passwords and original pages', async () => {
    expect(await text('export', 'opml')).toMatch(/<outline text="Sea".*\n.*xmlUrl="https:\/\/tides\.example\/feed"/)
    expect((await text('export', 'entries')).split('\n').map((line) => JSON.parse(line).title)).toEqual([
      'High water',
      'Low water',
    ])
    expect((await text('export', 'feeds')).split('\n')).toHaveLength(2)
    expect(await text('export', 'polls', '--feed', '1')).toMatch(/"kind":"read"/)
    expect(await text('export', 'entries', '--markdown')).toMatch(/High water[\s\S]*It rises/)
    expect((await there('export', '--warc', join(folder, 'x.warc.gz'))).notes).toMatch(/does not export original pages/)
    expect((await there('export', 'opml', '--with-passwords')).notes).toMatch(/does not export passwords/)
  })

  it('is also set by FRESHET_SERVER, unless --store is given', async () => {
    expect((await freshet(['feeds'], { FRESHET_SERVER: 'home' })).out.join('\n')).toMatch(/Tides/)
    expect((await freshet(['feeds', '--store', join(folder, 'none.db')], { FRESHET_SERVER: 'home' })).code).toBe(3)
  })

  it('reports a server that does not respond', async () => {
    await close()
    const { code, notes } = await there('feeds')
    expect([code, notes]).toEqual([
      1,
      expect.stringMatching(/no response \(connection refused\)\nhint: check that Freshet/),
    ])
    ;({ close } = await createServerFixture().listen(0))
  })

  it.each(COMMANDS.filter(({ localOnly }) => localOnly).map(({ name }) => name))(
    '%s is refused with a sentence',
    async (name) => {
      const { code, notes } = await freshet([name, 'x', '--server', 'home'])
      expect([code, notes]).toEqual([
        2,
        expect.stringMatching(new RegExp(`^freshet: freshet ${name} .{10,}\nhint: leave out --server`)),
      ])
    },
  )
})

describe('freshet top', () => {
  beforeEach(loggedIn)

  it('prints one screen with --once', async () => {
    const shown = await text('top', '--once')
    expect(shown).toMatch(/^freshet 0\.1\.0 at http.*, up 3h\n2 feeds active/)
    expect(shown).toMatch(/polls per minute since the start \(58 % not modified, 8 % failed\)/)
    expect(shown).toMatch(/budget: automatic\nqueue: 0 in flight/)
    expect(shown).toMatch(/polled next\n {2}in \d+m.*: (Tides|Bread)/)
  })

  function screen(rows = 30) {
    const drawn: string[][] = []
    const keys: ((key: string) => void)[] = []
    const resized: (() => void)[] = []
    const size = { columns: 60, rows }
    let isClosed = false
    const openScreen = (): Screen => ({
      size: () => size,
      draw: (lines) => drawn.push(lines),
      onResize: (listener) => resized.push(listener),
      onKey: (listener) => keys.push(listener),
      close: () => {
        isClosed = true
      },
    })
    const shows = async (pattern: RegExp) => {
      for (let i = 0; !pattern.test((drawn.at(-1) ?? []).join('\n')); i++) {
        if (i > 3000) throw new Error(`${pattern} is not shown: ${drawn.at(-1)?.join('\n')}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return drawn.at(-1)!
    }
    return { openScreen, drawn, keys, resized, size, shows, isClosed: () => isClosed }
  }

  it('draws sanitized lines that fit the terminal, survives an outage of the server, and quits with q', async () => {
    const { openScreen, keys, resized, size, shows, isClosed, drawn } = screen()
    const ended = freshet(['top', '--server', 'home'], {}, { openScreen })
    await shows(/2 feeds active/)
    const evil = { url: 'https://evil.example/feed', title: '\u001b]0;owned\u0007\u001b[2J red' }
    const read = { kind: 'read', fresh: 1, changed: 0, window: 1, gap: false } as const
    const at = stage.clock.now()
    const happens = setInterval(
      () =>
        stage.emit({ kind: 'polled', at, feedId: 1 as never, ...evil, tookMs: 5, bytes: 10, result: read, dueAt: at }),
      50,
    )
    const lines = await shows(/poll +.*red: 1 new of 1/).finally(() => clearInterval(happens))
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
    size.rows = 3
    resized[0]!()
    expect(drawn.at(-1)).toHaveLength(3)
    size.rows = 30
    const { port } = new URL(url)
    await close()
    await shows(/no answer for/)
    ;({ close } = await stage.listen(Number(port)))
    await shows(/^freshet 0\.1\.0 at .*\n\d feeds active/)
    keys[0]!('q')
    expect((await ended).code).toBe(0)
    expect(isClosed()).toBe(true)
  })

  it('prints lines if the output is not a terminal', async () => {
    const { out } = await freshet(['top', '--server', 'home', '--for', '1s'])
    expect(out[0]).toMatch(/^09:26:53 {2}freshet 0\.1\.0 at /)
    expect(out.some((line) => /queue:/.test(line))).toBe(true)
  })

  it('fails without permission', async () => {
    const { code, notes } = await freshet(['top', '--server', url, '--token', 'freshet_wrong'])
    expect([code, notes]).toEqual([1, expect.stringMatching(/401/)])
  })
})

import { Resolver } from 'node:dns'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY, formatDuration, formatSize, MINUTE, parseDuration, parseSize, SECOND } from '../model/index.ts'
import { environmentOf, flagOf, formatSetting, OPTION_NAMES, OPTIONS } from './config.ts'
import { ConfigError } from './config-error.ts'
import { configurationPage } from './configuration-page.ts'
import { readConfig } from './read-config.ts'
import { userAgent } from './version.ts'

const nothing = { flags: {}, environment: {} }

type Refused = [string, Partial<Parameters<typeof readConfig>[0]>, RegExp, RegExp]

describe('the configuration', () => {
  it('has a valid default for every setting', () => {
    const { config, origins } = readConfig(nothing)
    for (const name of OPTION_NAMES) {
      expect(origins[name]).toBe('default')
      const shown = formatSetting(name, config[name])
      expect(readConfig({ ...nothing, flags: { [name]: shown } }).config[name], name).toEqual(config[name])
    }
  })

  it('accepts unescaped passwords, also from files, and never prints them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-config-'))
    const file = join(folder, 'password')
    const odd = 'p@ss/w#rd? 100% "x"'
    writeFileSync(file, `${odd}\n`)
    const environment = {
      FRESHET_STORE: 'postgres://ada@db.example/news',
      FRESHET_STORE_PASSWORD_FILE: file,
      FRESHET_QUEUE: 'nats://bob@one:4222,nats://bob@two:4222',
      FRESHET_QUEUE_PASSWORD: odd,
    }
    const { config } = readConfig({ flags: {}, environment })
    expect(decodeURIComponent(new URL(config.store).password)).toBe(odd)
    expect(config.queue.split(',').map((one) => decodeURIComponent(new URL(one).password))).toEqual([odd, odd])
    for (const name of OPTION_NAMES) expect(formatSetting(name, config[name]), name).not.toMatch(/p@ss|w#rd|w%23rd/)
    rmSync(folder, { recursive: true })
  })

  it.each([
    [{ FRESHET_STORE: 'postgres://ada:s3cr/et#x@db.example/news' }, /FRESHET_STORE cannot be that/],
    [{ FRESHET_STORE: 'postgres://ada:12?s3cret@db.example/news' }, /FRESHET_STORE cannot be that/],
    [{ FRESHET_QUEUE: 'nats://ada:s3cret/x@queue:4222' }, /FRESHET_QUEUE cannot be that/],
    [{ FRESHET_QUEUE: 'amqp://ada:s3cret@queue:4222' }, /FRESHET_QUEUE cannot be that/],
    [{ FRESHET_CONTENT_STORE: 'cassandra://ada:s3cret/x@host' }, /FRESHET_CONTENT_STORE cannot be that/],
    [{ FRESHET_STORE: 'a.db', FRESHET_STORE_PASSWORD: 's3cret' }, /--store has no user/],
    [{ FRESHET_STORE: 'a.db', FRESHET_STORE_FILE: '/run/x' }, /both set/],
    [{ FRESHET_QUEUE_PASSWORD_FILE: '/run/secrets/none' }, /\/run\/secrets\/none, .*\(ENOENT\)/],
  ])('rejects %j without showing the password', (environment, message) => {
    const refusal = (() => {
      try {
        readConfig({ flags: {}, environment })
      } catch (error) {
        return error as ConfigError
      }
      throw new Error('it was taken')
    })()
    expect(refusal).toBeInstanceOf(ConfigError)
    expect(refusal.message).toMatch(message)
    expect(`${refusal.message} ${refusal.hint}`).not.toMatch(/s3cr/)
  })

  it('lets flags override the environment, and the environment override the file', () => {
    const file = { name: 'freshet.toml', text: 'port = 1\nhost-gap = "1s"\nconcurrency = 5' }
    const environment = { FRESHET_PORT: '2', FRESHET_HOST_GAP: '2s', HOME: '/' }
    const { config, origins } = readConfig({ flags: { port: '3' }, environment, file })
    expect(config).toMatchObject({ port: 3, hostGap: 2 * SECOND, concurrency: 5 })
    expect(origins).toMatchObject({
      port: 'flag',
      hostGap: 'environment',
      concurrency: 'freshet.toml',
      store: 'default',
    })
  })

  it('accepts DNS servers with ports', () => {
    const given = '9.9.9.9,127.0.0.1:5353,::1,[::1],[fd00::53]:5353'
    const { dnsServers } = readConfig({ ...nothing, flags: { dnsServers: given } }).config
    expect(dnsServers).toEqual(given.split(','))
    expect(() => new Resolver().setServers(dnsServers)).not.toThrow()
  })

  it.each<Refused>([
    ['a bad flag', { flags: { port: 'high' } }, /--port cannot be "high"/, /whole number from 0 to 65535/],
    ['a value out of range', { flags: { minInterval: '1ms' } }, /--min-interval/, /from 1s to 31d/],
    ['a bad variable', { environment: { FRESHET_LOG: 'loud' } }, /FRESHET_LOG cannot be "loud"/, /debug, info/],
    ['an unknown variable', { environment: { FRESHET_PROT: '1' } }, /FRESHET_PROT/, /FRESHET_PORT/],
    [
      'an unknown key',
      { file: { name: 'freshet.toml', text: 'intervall = 3' } },
      /unknown key "intervall"/,
      /min-interval/,
    ],
    [
      'an old key',
      { file: { name: 'freshet.toml', text: 'known-by = "title"' } },
      /unknown key "known-by"/,
      /it is called dedupe-by now/,
    ],
    [
      'an old variable',
      { environment: { FRESHET_LIBRARY: 'cassandra://a/b' } },
      /unknown variable FRESHET_LIBRARY/,
      /it is called FRESHET_CONTENT_STORE now/,
    ],
    ['a broken file', { file: { name: 'freshet.toml', text: 'port = = 3' } }, /freshet.toml cannot be read/, /TOML/],
    ['a strategy there is not', { flags: { strategy: 'hope' } }, /--strategy cannot be "hope"/, /moving-average/],
    ['a public address with a query', { flags: { publicUrl: 'https://a.example/?b' } }, /--public-url/, /leave out \?/],
    [
      'a hub that could not reach us',
      { flags: { publishHub: 'https://hub.example/' } },
      /--publish-hub needs --public-url/,
      /set --public-url/,
    ],
    [
      'an issuer without a client',
      { flags: { oidcIssuer: 'https://auth.example' } },
      /--oidc-issuer needs --oidc-client-id/,
      /register Freshet at the provider/,
    ],
    [
      'only a provider that is none',
      { flags: { oidcOnly: 'yes' } },
      /--oidc-only needs --oidc-issuer/,
      /set the issuer/,
    ],
    [
      'a header from anybody',
      { flags: { proxyUserHeader: 'Remote-User' } },
      /--proxy-user-header needs --trust-proxy/,
      /believed from nobody else/,
    ],
    ['a header that is none', { flags: { proxyUserHeader: 'Remote User' } }, /--proxy-user-header/, /Remote-User/],
    [
      'a role that is none',
      { flags: { groupRoles: 'admins=root' } },
      /--group-roles cannot be/,
      /freshet-admins=admin/,
    ],
    ['a contact that is no address', { flags: { contact: 'me' } }, /--contact/, /https:/],
    ['a network that is none', { flags: { allowNetworks: '10.0.0.0/33' } }, /--allow-networks/, /10\.0\.0\.0\/8/],
    ['a name server that is a name', { flags: { dnsServers: 'dns.example' } }, /--dns-servers/, /127\.0\.0\.1:5353/],
    ['a port that is none', { flags: { dnsServers: '127.0.0.1:99999' } }, /--dns-servers/, /\[::1\]:5353/],
    ['brackets round version 4', { flags: { dnsServers: '[127.0.0.1]:53' } }, /--dns-servers/, /\[::1\]:5353/],
    ['a store on a server', { flags: { store: 'mysql://localhost/news' } }, /--store cannot be "mysql/, /SQLite file/],
    ['a store in a table of memory', { flags: { store: ':memory:' } }, /--store cannot be ":memory:"/, /SQLite file/],
    [
      'a store by the address of a file',
      { flags: { store: 'file:news.db?mode=ro' } },
      /--store cannot be/,
      /SQLite file/,
    ],
    ['an empty host', { flags: { host: '' } }, /--host cannot be ""/, /IP address of this machine/],
    ...['constructor', '__proto__', 'toString', 'hasOwnProperty'].map(
      (word): Refused => [
        `the key ${word}`,
        { file: { name: 'freshet.toml', text: `${word} = 3` } },
        /freshet\.toml has an unknown key|freshet\.toml cannot be read/,
        /known names: store|TOML/,
      ],
    ),
    ['a variable of objects', { environment: { FRESHET_CONSTRUCTOR: '1' } }, /FRESHET_CONSTRUCTOR/, /known names/],
    ['a table for a value', { file: { name: 'freshet.toml', text: '[host-gap]\na = 1' } }, /host-gap in/, /duration/],
    ['a list of tables', { file: { name: 'freshet.toml', text: '[[host-gap]]\na = 1' } }, /host-gap in/, /duration/],
    ['a strategy of objects', { flags: { strategy: 'constructor' } }, /--strategy cannot be/, /moving-average/],
    ['a setting of objects', { flags: { strategy: 'tide:constructor=1' } }, /--strategy cannot be/, /moving-average/],
    ['an empty store', { flags: { store: ' ' } }, /--store/, /path/],
    ['limits the wrong way round', { flags: { minInterval: '2h', maxInterval: '1h' } }, /longer than/, /shorter/],
  ])('rejects %s and says what is expected', (_, input, message, hint) => {
    const attempt = () => readConfig({ ...nothing, ...input })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(message)
    try {
      attempt()
    } catch (error) {
      expect((error as ConfigError).hint).toMatch(hint)
    }
  })

  it.each(['news.db', './a:b.db', '/var/lib/news.db', 'C:\\news\\news.db', '../x', 'a b.db'])(
    'takes %s for the path of a store',
    (store) => {
      expect(readConfig({ ...nothing, flags: { store } }).config.store).toBe(store)
    },
  )

  it('accepts the address of a database, and shows it without its password', () => {
    const store = 'postgres://ada:s3cret@db.example:5433/news?password=an0ther'
    expect(readConfig({ ...nothing, flags: { store } }).config.store).toBe(store)
    expect(OPTIONS.store.kind.format(store)).toBe('postgres://db.example:5433/news')
  })

  it('accepts common spellings of yes and no', () => {
    const read = (listenWithoutLogin: string) =>
      readConfig({ ...nothing, flags: { listenWithoutLogin } }).config.listenWithoutLogin
    expect(['yes', 'true', 'on', 'no', 'false', 'off'].map(read)).toEqual([true, true, true, false, false, false])
    expect(() => read('maybe')).toThrow(ConfigError)
  })

  it('reads the common proxy variables, with lower precedence than its own', () => {
    const environment = { HTTP_PROXY: 'http://a.example:3128', no_proxy: 'localhost', FRESHET_PROXY_EXCEPT: 'intranet' }
    expect(readConfig({ ...nothing, environment }).config).toMatchObject({
      httpProxy: 'http://a.example:3128',
      httpsProxy: '',
      proxyExcept: 'intranet',
    })
  })

  it('has a contact page in the user agent', () => {
    const named = (contact?: string) => userAgent(readConfig({ ...nothing, flags: { contact } }).config.contact)
    expect(named()).toMatch(/^Freshet\/\d+\.\d+\.\d+ \(\+https:\/\/\S+\/conduct\)$/)
    expect(named('https://example.org/us')).toMatch(/ \(\+https:\/\/example\.org\/us\)$/)
  })

  it('has unique names for all settings', () => {
    expect(new Set(OPTION_NAMES.map(flagOf)).size).toBe(OPTION_NAMES.length)
    expect(environmentOf('hostGap')).toBe('FRESHET_HOST_GAP')
    for (const name of OPTION_NAMES) expect(OPTIONS[name].sentence).toMatch(/^[A-Z].*\.$/)
  })

  it('is described by docs/configuration.md (npm run docs writes it)', () => {
    expect(readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')).toBe(configurationPage())
  })
})

describe('durations and sizes', () => {
  it.each([
    ['90s', 90 * SECOND],
    ['1h30m', 90 * MINUTE],
    ['1.5h', 90 * MINUTE],
    ['31d', 31 * DAY],
    ['2 w', 14 * DAY],
    ['0', 0],
    ['10', undefined],
    ['soon', undefined],
    ['-5m', undefined],
    ['', undefined],
  ])('reads "%s"', (text, expected) => {
    expect(parseDuration(text)).toBe(expected)
  })
  it.each([
    [0, '0'],
    [450, '450ms'],
    [90 * SECOND, '1m30s'],
    [DAY + 5 * MINUTE, '1d'],
    [31 * DAY, '31d'],
    [59_999, '1m'],
  ])('writes %d', (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected)
  })
  it('reads and writes sizes', () => {
    expect(['10MB', '512 KiB', '7', 'big'].map(parseSize)).toEqual([10_000_000, 524_288, 7, undefined])
    expect([0, 999, 1500, 10_000_000, 2_500_000_000].map(formatSize)).toEqual([
      '0 B',
      '999 B',
      '1.5 kB',
      '10 MB',
      '2.5 GB',
    ])
  })
})

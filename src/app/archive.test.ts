import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWarc } from '../archive/read-warc.fixture.ts'
import { createSteppedClock, systemClock } from '../clocks/index.ts'
import { createVillage } from '../lab/index.ts'
import { openArchive } from './archive.ts'
import { openCrawl } from './composition.ts'
import { defaultConfig } from './read-config.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-archive-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const recorded = () =>
  readdirSync(join(folder, 'warc')).flatMap((name) => {
    const { records, leftOver } = readWarc(join(folder, 'warc', name))
    expect(leftOver).toBe(0)
    return records
  })

describe('a crawl with an archive', () => {
  it('archives responses as received', async () => {
    const village = createVillage({
      clock: createSteppedClock(Date.UTC(2026, 0, 5)),
      sites: [{ name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed' }] }],
    })
    const { close } = await village.listen()
    const config = {
      ...defaultConfig(),
      store: join(folder, 'test.db'),
      archive: join(folder, 'warc'),
      allowNetworks: ['127.0.0.0/8', '::1/128'],
      hostGap: 0,
    }
    const crawl = await openCrawl(config)
    try {
      const [source] = await crawl.crawler.subscribe([{ url: village.site('gazette').home, kind: 'any' }])
      if (source?.kind !== 'source') throw new Error('the home page was taken for a feed')
      await crawl.crawler.pollSelected({ sources: [source.sourceId], feeds: [] }, AbortSignal.timeout(10_000))
    } finally {
      await crawl.close()
      await close()
    }
    const answers = recorded().filter(({ headers }) => headers['warc-type'] === 'response')
    const home = village.site('gazette').home
    expect(answers.map(({ headers }) => headers['warc-target-uri'])).toEqual(
      expect.arrayContaining([home, `${home}feed`]),
    )
    const feed = answers.find(({ headers }) => headers['warc-target-uri'] === `${home}feed`)!
    expect(feed.http!.first).toBe('HTTP/1.1 200 OK')
  })

  it.each([
    ['keeps a page', [], '<meta name=robots content="index,follow">', true],
    ['heeds the header', [['X-Robots-Tag', 'noarchive']], '', false],
    ['heeds the header for us', [['x-robots-tag', 'otherbot: noarchive, freshet: noindex']], '', false],
    ['not that for others', [['x-robots-tag', 'otherbot: noarchive']], '', true],
    ['heeds the meta tag', [], '<META content="noarchive" NAME="ROBOTS">', false],
    ['heeds it without quotes', [], '<meta name=robots content=noindex>', false],
    ['no text that looks like one', [], '<p>content="noarchive" name="robots"</p>', true],
  ] as const)('%s', async (_, headers, html, isArchived) => {
    const config = { ...defaultConfig(), archive: join(folder, 'warc') }
    const archive = await openArchive(config, systemClock())
    const body = Buffer.from(html)
    const response = { status: 200, headers, body }
    await archive.write({ url: 'https://a.example/', at: 0, request: { headers: [] }, response }, body)
    await archive.close()
    expect(recorded().length > 0).toBe(isArchived)
  })

  it('does not start if the archive is not writable', async () => {
    writeFileSync(join(folder, 'file'), '')
    const config = { ...defaultConfig(), store: join(folder, 'test.db'), archive: join(folder, 'file') }
    await expect(openCrawl(config)).rejects.toMatchObject({ hint: expect.stringMatching(/--archive/) })
    expect(readdirSync(folder)).toEqual(['file'])
  })
})

/** Exports of articles from a store with known content. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWarc } from '../archive/read-warc.fixture.ts'
import { address } from '../model/address.fixture.ts'
import type { ArticleFacts, EntryDraft, FeedId } from '../model/index.ts'
import { articleOf, rawPage, want } from '../ports/article-samples.contract.ts'
import type { Store } from '../ports/index.ts'
import { addFeed, all, draft, record, START } from '../ports/store-samples.contract.ts'
import { openSqliteStore } from '../stores/index.ts'
import type { Terminal } from './io.ts'
import { runProgram } from './program.ts'

const EXTRAS: Partial<EntryDraft> = {
  tags: ['bridges'],
  media: [
    { url: address('https://gazette.example/a.mp3'), kind: 'audio', type: 'audio/mpeg' },
    {
      url: address('https://gazette.example/a.jpg?x=1&y=2'),
      kind: 'image',
      width: 800,
      height: 600,
      title: 'The *bridge*',
    },
    { url: address('https://gazette.example/small.jpg'), kind: 'image', preview: true },
  ],
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-export-'))
  const { store } = await openSqliteStore({ file: join(folder, 'test.db'), mode: 'write', now: () => START })
  const feedId = await addFeed(store, 'gazette', { title: 'The Gazette' })
  const facts: ArticleFacts = {
    title: 'Bridge: "open" <again>',
    authors: ['Ada Byron'],
    date: { at: START, from: 'page', trust: 0.9 },
    language: 'en',
    category: 'local',
    keywords: ['bridge', 'river'],
    words: 5,
  }
  await store1(store, feedId, draft('a', { url: 'https://gazette.example/a', ...EXTRAS }), facts)
  await store1(store, feedId, draft('b', { title: 'Die Brücke' }), {
    words: 0,
    date: { at: START + 1, from: 'seen', trust: 0.5, dateOnly: true },
  })
  await store1(store, feedId, draft('c'), { title: 'Not to be shown', words: 9 }, true)
  await store.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let at = START
async function store1(
  store: Store,
  feedId: FeedId,
  entry: EntryDraft,
  facts: ArticleFacts,
  noArchive?: true,
): Promise<void> {
  await store.recordPolls([record(feedId, ++at, { fresh: [entry] })])
  const stored = (await all(store.everyEntry({}))).find(({ key }) => key === entry.key)!
  await store.queueArticles([want(stored.id, 'gazette', entry.key)], at)
  const article = await articleOf(store, stored.id)
  const html = '<h2>Next</h2><p>The <b>bridge</b><script>hit=1</script> is <a href="/open">open</a>.</p>'
  const page = noArchive
    ? { noArchive }
    : { page: { ...rawPage(at, `bridge ${entry.key}`), url: address(`https://gazette.example/${entry.key}`) } }
  const pageUrl = `https://gazette.example/${entry.key}`
  const content = { text: 'Next\n\nThe bridge is open.', html }
  await store.recordArticles([
    {
      id: article.id,
      at,
      queueDueAt: at,
      result: { kind: 'read', pageUrl: address(pageUrl), facts, content, ...page },
    },
  ])
}

async function freshet(...words: string[]) {
  const out: string[] = []
  const notes: string[] = []
  const io: Terminal = {
    out: (line) => out.push(line),
    outWhenReady: async (line) => void out.push(line),
    note: (line) => notes.push(line),
    stdin: async function* () {},
    environment: { FRESHET_STORE: join(folder, 'test.db') },
    columns: undefined,
    drawsProgress: false,
    now: () => START,
    interrupted: new AbortController().signal,
  }
  return { code: await runProgram(words, io), out, notes: notes.join('\n') }
}

describe('exports of articles', () => {
  it('have one sanitized JSON object per line, without articles that must not be archived', async () => {
    const { out, code } = await freshet('export', 'articles')
    expect(code).toBe(0)
    const [first, second, third] = out.map((line) => JSON.parse(line))
    expect(first).toMatchObject({
      pageUrl: 'https://gazette.example/a',
      title: 'Bridge: "open" <again>',
      publishedAt: new Date(START).toISOString(),
      dateFrom: 'page',
      language: 'en',
      category: 'local',
      text: 'Next\n\nThe bridge is open.',
      html: '<h2>Next</h2><p>The <b>bridge</b> is <a href="https://gazette.example/open" rel="noopener noreferrer nofollow">open</a>.</p>',
      entryIds: [1],
    })
    expect(second).toMatchObject({ dateOnly: true, words: 0 })
    expect(third).toMatchObject({ title: 'Not to be shown', words: 9 })
    expect(third).not.toHaveProperty('text')
    expect(third).not.toHaveProperty('html')
    expect(third.missing.reason).toBe('noarchive')
    const allowed = (await freshet('export', 'articles', '--include-noarchive')).out.map((line) => JSON.parse(line))
    expect(allowed[2]).toMatchObject({ text: 'Next\n\nThe bridge is open.' })
    expect((await freshet('export', '--ndjson', '--since', '2030-01-01')).out).toEqual([])
  })

  it('have audio and video as HTML, of which only images load by themselves', async () => {
    const html = (await freshet('export', '--html', '--feed', '1')).out.join('\n')
    expect(html).toContain('<audio controls preload="none" src="https://gazette.example/a.mp3"></audio>')
    expect(html).toContain(
      '<img src="https://gazette.example/a.jpg?x=1&amp;y=2" alt="The *bridge*" width="800" height="600" loading="lazy">',
    )
    expect(html).not.toContain('small.jpg')
  })

  it('include entries with the text of their page or of the feed', async () => {
    const { out, code } = await freshet('export', 'entries', '--markdown')
    expect(code).toBe(0)
    const text = out.join('\n')
    expect(text.match(/^id: .*$/gm)).toEqual(['id: "e1"', 'id: "e2"', 'id: "e3"'])
    expect(text).toContain('The page asks not to be copied (noarchive)')
    expect(text).toContain('[audio: a.mp3](<https://gazette.example/a.mp3>)')
    const place = join(folder, 'entries')
    expect((await freshet('export', 'entries', '--html', '-o', place)).notes).toMatch(/3 entries written/)
    expect((await freshet('export', 'feeds', '--html')).notes).toMatch(/is a format for articles, not for feeds/)
  })

  it('write Markdown into a folder with one file per article', async () => {
    const place = join(folder, 'notes')
    expect((await freshet('export', '--markdown', '-o', place)).notes).toMatch(/2 articles written/)
    const day = new Date(START).toISOString().slice(0, 10)
    const names = readdirSync(place).sort()
    expect(names).toEqual([`${day}-bridge-open-again-1.md`, `${day}-die-brucke-2.md`])
    expect(readFileSync(join(place, names[0]!), 'utf8')).toBe(`---
title: "Bridge: \\"open\\" <again>"
url: "https://gazette.example/a"
authors: ["Ada Byron"]
source: "The Gazette"
language: "en"
category: "local"
tags: ["bridge","river","bridges"]
media: ["https://gazette.example/a.mp3","https://gazette.example/a.jpg?x=1&y=2","https://gazette.example/small.jpg"]
id: 1
date: ${new Date(START).toISOString()}
---

# Bridge: "open" \\<again>

[audio: a.mp3](<https://gazette.example/a.mp3>)

![The \\*bridge\\*](<https://gazette.example/a.jpg?x=1&y=2>)

## Next

The **bridge** is [open](https://gazette.example/open).
`)
    expect(readFileSync(join(place, names[1]!), 'utf8')).toMatch(/^title: "Die Brücke"$[\s\S]*^date: 2023-11-14$/m)
  })

  it('write HTML into a folder with an index, or as one document', async () => {
    const place = join(folder, 'pages')
    await freshet('export', '--html', '-o', place)
    const index = readFileSync(join(place, 'index.html'), 'utf8')
    const [, file] = /<li><a href="([^"]+)">Bridge: &quot;open&quot; &lt;again&gt;<\/a>/.exec(index)!
    const page = readFileSync(join(place, decodeURIComponent(file!)), 'utf8')
    expect(page).toMatch(
      /<html lang="en">[\s\S]*content-security-policy[\s\S]*<h1>Bridge: &quot;open&quot; &lt;again&gt;<\/h1>/,
    )
    expect(page).not.toMatch(/<script|<again>/)

    const { out } = await freshet('export', '--html')
    expect(out.join('\n')).toMatch(/^<!doctype html>[\s\S]*<h2>Bridge[\s\S]*<h2>Die Brücke[\s\S]*<\/html>$/)
    const single = join(folder, 'all.html')
    for (const words of [
      ['--html', '-o', single],
      ['--html', single],
      ['articles', '--html', single],
    ]) {
      expect(await freshet('export', ...words)).toMatchObject({ code: 0, out: [] })
      expect(readFileSync(single, 'utf8')).toBe(`${out.join('\n')}\n`)
      await rm(single)
    }
    expect((await freshet('export', '--html', 'articles')).out).toEqual(out)
  })

  it('write original pages as a WARC file', async () => {
    const file = join(folder, 'pages.warc.gz')
    expect((await freshet('export', '--warc', file)).notes).toMatch(/2 pages written; 1 article without a stored page/)
    const { records, leftOver } = readWarc(file)
    expect(leftOver).toBe(0)
    expect(records.map(({ headers }) => headers['warc-type'])).toEqual([
      'warcinfo',
      ...['request', 'response', 'metadata'],
      ...['request', 'response', 'metadata'],
    ])
    const [, request, response, metadata] = records
    expect(request!.http).toMatchObject({ first: 'GET /a HTTP/1.1', headers: { host: 'gazette.example' } })
    expect(response!.http!.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', server: 't\u00e4st' })
    expect(response!.http!.body).toEqual(Buffer.from('<!doctype html><title>bridge a</title>\xff', 'latin1'))
    expect(metadata!.block.toString()).toMatch(/^about: \{"article":1,"title":"Bridge/m)
    expect(metadata!.block.toString()).toContain('"media":[{"url":"https://gazette.example/a.mp3","kind":"audio"')
  })

  it('can be read in the terminal by entry number', async () => {
    const { out } = await freshet('read', 'e1')
    expect(out).toEqual([
      'Bridge: "open" <again>',
      'Ada Byron · 2023-11-14 22:13 · The Gazette · 5 words',
      'https://gazette.example/a',
      '',
      'Next',
      '',
      'The bridge is open[1].',
      '',
      '[1] https://gazette.example/open',
    ])
    expect((await freshet('read', 'e3')).out.join('\n')).toMatch(/asks not to be copied/)
  })

  it.each([
    [['export'], /nothing to export is given[\s\S]*opml, feeds, entries, articles/],
    [['export', 'feeds', '--html'], /--html is a format for articles, not for feeds/],
    [['export', '--html', '--markdown'], /cannot be combined/],
    [['export', '--warc', 'x.warc.gz', '-o', 'y'], /--warc x.warc.gz and --output both give a target/],
    [['export', '--markdown', 'x.md', '-o', 'y.md'], /--markdown x.md and --output both give a target/],
    [['export', '--warc', '/dev/null/x.warc.gz'], /could not be written[\s\S]*hint/],
    [['export', '--html', '-o', '/dev/null/x'], /could not be written[\s\S]*hint/],
    [['export', '--markdown', '-o', '/dev/null/x.md'], /could not be written[\s\S]*hint/],
  ])('reject %j with a message', async (words, message) => {
    const { code, notes } = await freshet(...words)
    expect(notes).toMatch(message)
    expect(code).toBe(2)
  })
})

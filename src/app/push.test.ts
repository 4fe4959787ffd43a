/** A pushed feed on real sockets, from the configuration to the entry: the hub reaches --public-url. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFastClock } from '../clocks/index.ts'
import { createVillage } from '../lab/index.ts'
import { createLog, defaultConfig, openCrawl, startServer } from './index.ts'

test('receives pushes for a feed with a hub', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'freshet-push-'))
  const startAt = Date.now()
  const clock = createFastClock({ startAt, speed: 1000 })
  const newspaperSite = { name: 'gazette', silentSince: startAt, feeds: [{ path: '/feed', hub: true as const }] }
  const village = createVillage({ clock, sites: [newspaperSite] })
  const listening = await village.listen()
  const silent = createLog({ level: 'silent', format: 'text', now: Date.now, write: () => {} })
  const config = {
    ...defaultConfig(),
    store: join(folder, 'a.db'),
    port: 0,
    hostGap: 0,
    allowNetworks: ['127.0.0.0/8'],
    publicUrl: 'http://reader.example/below/',
  }
  const crawl = await openCrawl(config)
  const server = await startServer(config, crawl, silent)
  village.hub.send = (url, init) => fetch(url.replace('http://reader.example/below', server.url), init)
  const news = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  crawl.crawler.onEvent((event) => {
    if (event.kind === 'push' && event.what === 'begins') started.resolve()
    if (event.kind === 'pushed') news.resolve(`${event.fresh} new`)
    if (event.kind === 'internal-error') news.reject(event.error)
  })
  const end = new AbortController()
  const running = crawl.crawler.run(end.signal)
  try {
    const site = village.site('gazette')
    await crawl.crawler.subscribe([{ url: site.home, kind: 'any' }])
    await started.promise
    while (village.hub.subscriptions.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(village.hub.requests[0]?.callback).toMatch(/^http:\/\/reader\.example\/below\/websub\/[\w-]{43}$/)
    site.publish({ title: 'A goose came by itself' })
    expect(await village.hub.distribute(site.feeds[0]!.url)).toEqual([202])
    expect(await news.promise).toBe('1 new')
    const [entry] = await crawl.store.entries({ limit: 1 })
    expect(entry?.title).toBe('A goose came by itself')
    const { feeds } = (await (await fetch(`${server.url}/api/v1/feeds`)).json()) as { feeds: { push?: unknown }[] }
    expect(feeds[0]?.push).toMatchObject({ state: 'trusted', pushes: 1 })
    const { hubs } = (await (await fetch(`${server.url}/api/v1/hubs`)).json()) as { hubs: unknown[] }
    expect(hubs).toMatchObject([{ feeds: { trusted: 1 }, pushes: 1, fresh: 1, missed: 0 }])
  } finally {
    end.abort()
    await running
    await server.close()
    await crawl.close()
    await listening.close()
    await rm(folder, { recursive: true })
  }
})

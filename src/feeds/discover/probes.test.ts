import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { probeAddresses } from './probes.ts'

const root = 'https://example.org'

function generator(content: string): string {
  return `<!doctype html><head><META content="${content}" NAME="Generator">`
}

describe('probeAddresses', () => {
  it('tries likely paths at the root of a site, the most common first', () => {
    const probes = probeAddresses({ url: address(`${root}/`) })
    expect(probes.slice(0, 5)).toEqual([
      `${root}/feed/`,
      `${root}/rss/`,
      `${root}/feed`,
      `${root}/feed.xml`,
      `${root}/rss.xml`,
    ])
  })

  it.each([
    ['WordPress 6.5', '/feed/'],
    ['Ghost 5.2', '/rss/'],
    ['Hugo 0.120', '/index.xml'],
    ['Jekyll v4', '/feed.xml'],
    ['Drupal 10 (https://example.net)', '/rss.xml'],
    ['blogger', '/feeds/posts/default'],
    ['Squarespace', '/?format=rss'],
    ['Discourse 3.2', '/latest.rss'],
    ['mkdocs-1.5', '/feed_rss_created.xml'],
  ])('starts with the feed path of %s', (name, path) => {
    expect(probeAddresses({ url: address(`${root}/`), html: generator(name) })[0]).toBe(root + path)
  })

  it('recognizes a system without generator tag by its fingerprints', () => {
    const html = '<link rel="stylesheet" href="/wp-content/themes/x/style.css">'
    expect(probeAddresses({ url: address(`${root}/`), html })[1]).toBe(`${root}/?feed=rss2`)
  })

  it.each([
    ['/blog', '/blog/'],
    ['/blog/', '/blog/'],
    ['/blog/index.html', '/blog/'],
    ['/blog/about', '/blog/'],
    ['/blog/2024/05/hello/', '/blog/'],
    ['/blog/how-to-find-feeds/', '/blog/'],
    ['/2024/05/hello/', '/'],
    ['/how-to-find-feeds/', '/'],
    ['/page.html', '/'],
    ['/', '/'],
  ])('tries the folder of %s before the root', (path, folder) => {
    const probes = probeAddresses({ url: address(root + path) })
    expect(probes[0]).toBe(`${root}${folder}feed/`)
    expect(probes).toContain(`${root}/feed/`)
  })

  it('returns at most twelve, or the given limit, without duplicates and never the page itself', () => {
    const probes = probeAddresses({ url: address(`${root}/feed/`), html: generator('WordPress') })
    expect(probes).toHaveLength(12)
    expect(new Set(probes).size).toBe(12)
    expect(probes).not.toContain(`${root}/feed/`)
    expect(probeAddresses({ url: address(root), limit: 3 })).toHaveLength(3)
    expect(probeAddresses({ url: address(root), limit: -1 })).toEqual([])
    expect(probeAddresses({ url: address(root), limit: 1_000 })).toHaveLength(12)
  })

  it('stays on the site, whatever the path', () => {
    for (const path of ['//evil.example/', '/a//b/', '/%2e%2e/x', `/${'x/'.repeat(4_000)}`]) {
      for (const probe of probeAddresses({ url: address(root + path) })) expect(new URL(probe).origin).toBe(root)
    }
  })
})

it.each([
  ['Shopify, for a linked blog', '<link href="/cdn/shop/a.css"><a href="/blogs/brewing/1">', '/blogs/brewing.atom'],
  ['HubSpot', '<meta name="generator" content="HubSpot"><a href="/insights/">', '/insights/rss.xml'],
  ['Webflow', '<html data-wf-site="1"><a href="https://example.org/posts">', '/posts/rss.xml'],
  ['vBulletin', '<meta name="generator" content="vBulletin 5.6.4">', '/external?type=rss2'],
  ['Invision', '<body class="ipsLayout_minimal">', '/discover/all.xml/'],
])('knows the feed path of %s', (_, html, path) => {
  expect(probeAddresses({ url: address('https://example.org/'), html })[0]).toBe(`https://example.org${path}`)
})

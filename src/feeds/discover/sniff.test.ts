import { describe, expect, it } from 'vitest'
import { looksLikeFeed } from './sniff.ts'

const looks = (text: string) => looksLikeFeed(Buffer.from(text))

describe('looksLikeFeed', () => {
  it.each([
    '<rss version="2.0">',
    '\ufeff<?xml version="1.0"?>\n<!-- a comment with <html> in it -->\n<feed xmlns="http://www.w3.org/2005/Atom">',
    '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><rdf:RDF xmlns="http://purl.org/rss/1.0/">',
    '<!DOCTYPE rss [<!ENTITY x "<html>">]><rss>',
    '<atom:feed>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    '<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9">',
    '<!DOCTYPE html><rss>',
    '<CHANNEL HREF="x">',
    '{ "version": "https://jsonfeed.org/version/1.1", "title": "x"',
    '{ "title": "x", "version": "https:\\/\\/jsonfeed.org\\/version\\/1"',
  ])('accepts %j', (text) => {
    expect(looks(text)).toBe(true)
  })

  it.each([
    '',
    'rss',
    '<!DOCTYPE html><p><rss>',
    '<html><rss>',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><rss/>',
    '<div>a page without a head that speaks of <rss></div>',
    '<opml version="2.0">',
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '{ "version": "1.0.0", "name": "a package" }',
    '<!-- <rss> -->',
  ])('rejects %j', (text) => {
    expect(looks(text)).toBe(false)
  })

  it('recognizes a feed in UTF-16', () => {
    expect(looksLikeFeed(Buffer.from('\ufeff<rss version="2.0">', 'utf16le'))).toBe(true)
  })

  it('reads at most four kilobytes', () => {
    expect(looks(`${' '.repeat(5000)}<rss>`)).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import {
  createXmlNames,
  declareNames,
  lookupName,
  namesInsideElement,
  UNKNOWN,
  type XmlNames,
} from './element-names.ts'

const rss = () => createXmlNames('rss', (key) => ({ key, role: 'field' }), new Map())
const keyOf = (names: XmlNames, raw: string) => lookupName(names, raw).key
const inside = (names: XmlNames, declarations: Record<string, string>, atRoot = false) =>
  declareNames(names, Object.entries(declarations), atRoot)

describe('names of elements', () => {
  it.each([
    ['pubDate', 'pubdate'],
    ['DC:Creator', 'dc:creator'],
    ['a10:updated', 'atom:updated'],
    ['rss:item', 'item'],
    ['nobodys:thing', UNKNOWN.key],
  ])('have their conventional meaning without declarations: %s', (raw, key) => {
    expect(keyOf(rss(), raw)).toBe(key)
  })

  it.each([
    'http://purl.org/dc/elements/1.1/',
    'http://purl.org/dc/elements/1.1',
    'https://purl.org/DC/elements/1.1/',
    ' http://purl.org/dc/elements/1.1# ',
  ])('follow the declared namespace, in any spelling: %j', (address) => {
    expect(keyOf(inside(rss(), { q: address }), 'q:creator')).toBe('dc:creator')
  })

  it('are the same object where a declaration changes nothing', () => {
    const names = rss()
    const usual = { '': 'http://unheard-of.example/', dc: 'http://purl.org/dc/elements/1.1/', zz: 'http://zz.example/' }
    expect(inside(names, usual, true)).toBe(names)
    expect(inside(names, { dc: 'http://search.yahoo.com/mrss/' })).not.toBe(names)
  })

  it('scope declarations to the element', () => {
    const names = rss()
    expect(keyOf(inside(names, { media: 'http://purl.org/dc/elements/1.1/' }), 'media:title')).toBe('dc:title')
    expect(keyOf(names, 'media:title')).toBe('media:title')
  })

  it('in the default namespace belong to the document’s vocabulary at the root, and to the declared one below', () => {
    const atom = { '': 'http://www.w3.org/2005/Atom' }
    expect(keyOf(inside(rss(), atom, true), 'title')).toBe('title')
    expect(keyOf(inside(rss(), atom), 'title')).toBe('atom:title')
  })

  it('know which prefixes stand for HTML, including the conventional one', () => {
    expect(inside(rss(), { xhtml: 'http://www.w3.org/1999/xhtml' }).hasHtmlPrefix).toBe(true)
    expect(inside(rss(), { dc: 'http://purl.org/dc/elements/1.1/' }).hasHtmlPrefix).toBe(false)
  })

  it('are all fields inside an element with inner structure', () => {
    const names = createXmlNames('atom', () => UNKNOWN, new Map())
    expect(lookupName(names, 'name')).toBe(UNKNOWN)
    expect(lookupName(namesInsideElement(names), 'name')).toEqual({ key: 'name', role: 'field' })
  })

  it('are cached, with limits on number and length', () => {
    const names = rss()
    for (let index = 0; index < 10_000; index++) lookupName(names, `n${index}`)
    expect(names.words.size).toBeLessThan(5_000)
    expect(lookupName(names, 'n'.repeat(1_000))).toBe(UNKNOWN)
  })
})

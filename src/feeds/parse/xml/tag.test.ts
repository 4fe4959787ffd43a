import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAttributes, readTag } from './tag.ts'

function read(text: string) {
  const { name, attributesFrom, attributesTo, end, selfClosed } = readTag(text, 0, text.length)
  const { names, values } = readAttributes(text.slice(attributesFrom, attributesTo))
  return { name, attributes: names.flatMap((each, i) => [each, values[i]]), rest: text.slice(end), selfClosed }
}

describe('a start tag', () => {
  it.each([
    ['<a>x', 'a', [], false],
    ['<a/>x', 'a', [], true],
    ['<a b="c" D:e="f g"/>x', 'a', ['b', 'c', 'd:e', 'f g'], true],
    ['<a b="c>d">x', 'a', ['b', 'c>d'], false],
    ["<a b='c' d=e>x", 'a', ['b', 'c', 'd', 'e'], false],
    ['<a b = "c" d>x', 'a', ['b', 'c', 'd', ''], false],
    ['<a b="">x', 'a', ['b', ''], false],
    ['<a b="c=d">x', 'a', ['b', 'c=d'], false],
    ['<a b="c" b="d">x', 'a', ['b', 'c', 'b', 'd'], false],
    ['<a b="c d="e">x', 'a', ['b', 'c', 'd', 'e'], false],
  ])('%s is parsed', (text, name, attributes, selfClosed) => {
    expect(read(text)).toEqual({ name, attributes, rest: 'x', selfClosed })
  })

  it.each([
    ['<a b="c<d', '<d'],
    ['<a b="c>d', 'd'],
    ['<a b="c', ''],
  ])('%s, malformed, ends before %j', (text, remainder) => {
    expect(read(text).rest).toBe(remainder)
  })

  it('may have very many attributes', () => {
    const { attributes, rest: remainder, selfClosed } = read(`<a${' b="c"'.repeat(2_000_000)}/>x`)
    expect([attributes.length, remainder, selfClosed]).toEqual([4_000_000, 'x', true])
  })

  it('is parsed alike by both attribute parsers: one attribute in single quotes, which only the second reads, changes no other', () => {
    const value = fc.string({ maxLength: 12 }).map((text) => text.replace(/[<>"'=&]/g, ''))
    const name = fc.stringMatching(/^[A-Za-z][\w:-]{0,5}$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), fc.boolean(), (pairs, selfClosed) => {
        const attributes = pairs.map(([name, text]) => ` ${name}="${text}"`).join('')
        const end = selfClosed ? '/>x' : '>x'
        const usual = read(`<a${attributes}${end}`)
        const odd = read(`<a${attributes} odd='1'${end}`)
        expect(odd).toEqual({ ...usual, attributes: [...usual.attributes, 'odd', '1'] })
        expect(usual.rest).toBe('x')
      }),
    )
  })
})

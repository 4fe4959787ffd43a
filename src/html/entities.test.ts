import { describe, expect, it } from 'vitest'
import { decodeEntities } from './entities.ts'

/** Longer texts are decoded by another implementation. */
const long = (text: string) => decodeEntities(text.repeat(100)).slice(0, decodeEntities(text).length)

describe('decodeEntities', () => {
  it.each([
    ['&lt;p&gt; &amp;amp; &quot;&apos;', '<p> &amp; "\''],
    ['&#38;lt; &#x26;amp; &#65;', '&lt; &amp; A'],
    ['caf&eacute;&hellip;', 'café…'],
    ['&#146; &#x97; are not controls', '’ — are not controls'],
    ['&#129;&#x9d;|', '|'],
    ['&#0;&#xD800;&#x110000;&#99999999999;|', '|'],
    ['&#x1F600;', '😀'],
    ['?a=1&copy=2&lt', '?a=1&copy=2&lt'],
    ['a & b && &; &nosuch; &notit; &amp', 'a & b && &; &nosuch; &notit; &amp'],
    ['Größe &uuml; Ж &lt;', 'Größe ü Ж <'],
  ])('reads %j', (text, expected) => {
    expect(decodeEntities(text)).toBe(expected)
    expect(long(`${text} `)).toBe(`${expected} `)
  })
})

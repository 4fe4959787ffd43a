import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillAddress, fillJson, fillText, fillTexts } from './template.ts'

/** Also with what could break a body: quotes, line breaks, placeholders, lone surrogates. */
const VALUE = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '{{url}}', '{{', '}}', '","x":"', '\u2028', '\ud800', '&a=b', '%', '../..'),
)

test('no value breaks JSON, and none is read as a template', () => {
  fc.assert(
    fc.property(VALUE, VALUE, (title, url) => {
      const template = { text: 'a {{title}} b {{url}}', list: ['{{title}}'], n: 1 }
      const filled = JSON.parse(JSON.stringify(fillJson(template, { title, url })))
      expect(filled).toEqual({
        ...((title || url) && { text: `a ${title} b ${url}` }),
        ...(title && { list: [title] }),
        n: 1,
      })
    }),
  )
})

test('no value breaks a form', () => {
  fc.assert(
    fc.property(VALUE, (title) => {
      const form = new URLSearchParams(fillTexts({ title: '{{title}}', last: 'x' }, { title })).toString()
      expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
        ...(title && { title: title.toWellFormed() }),
        last: 'x',
      })
    }),
  )
})

test('no value changes the host or the query of an address', () => {
  fc.assert(
    fc.property(VALUE, (name) => {
      const url = new URL(
        fillAddress('{{address}}/a/{{name}}/end', { address: 'https://a.example/base/', name: `x${name}` }),
      )
      expect([url.origin, url.search, url.hash]).toEqual(['https://a.example', '', ''])
      expect(url.pathname.split('/')).toHaveLength(5)
    }),
  )
})

test('values are truncated between characters, and escaped where a service has markup', () => {
  expect(fillText('{{a:5}}', { a: 'abcdefgh' })).toBe('abcd…')
  expect(fillText('{{a:5}}', { a: 'abcde' })).toBe('abcde')
  expect(fillText('{{a:3}}', { a: 'a😀bc' })?.isWellFormed()).toBe(true)
  expect(fillText('{{a|html:9}}', { a: '<!channel> & more' })).toBe('&lt;!channe…')
})

test('what has no value is left out', () => {
  expect(fillJson({ a: '{{x}}', b: { c: '{{x}}' }, d: {}, e: ['{{x}}'] }, { x: '' })).toEqual({ d: {} })
  expect(fillTexts({ authorization: 'Bearer {{token}}' }, {})).toEqual({})
})

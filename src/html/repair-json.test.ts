/** JSON as the web writes it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repairJson } from './repair-json.ts'

test.each([
  ['a line break in a string', '{"a":"x\ny"}', { a: 'x y' }],
  ['a control character between two values', '[1,\u000b2]', [1, 2]],
  ['commas too many', '{"a":[1,2,],}', { a: [1, 2] }],
  ['quotes in a string', '{"a":"he said "hi" to me","b":"c"}', { a: 'he said "hi" to me', b: 'c' }],
  ['a backslash that escapes nothing', '{"a":"C:\\x"}', { a: 'C:\\x' }],
  ['an end that is missing', '{"a":{"b":["c","d', { a: { b: ['c', 'd'] } }],
  ['an end that is missing behind a comma', '{"a":["b", ', { a: ['b'] }],
  ['something behind the end', '{"a":1};window.x={}', { a: 1 }],
])('repairs %s', (_name, text, value) => {
  expect(JSON.parse(repairJson(text))).toEqual(value)
})

describe('with incomplete items dropped', () => {
  test.each([
    ['half an item goes', '{"v":1,"items":[{"id":1},{"id":2,"title":"half a ti', { v: 1, items: [{ id: 1 }] }],
    ['an item that is whole stays', '{"items":[{"id":1},{"id":2}', { items: [{ id: 1 }, { id: 2 }] }],
    ['what comes after the last item goes', '{"items":[{"id":1}],"title":"half a ti', { items: [{ id: 1 }] }],
    ['so does the only item', '{"items":[{"id":1,"tags":["a"],"title":"half', { items: [] }],
    ['of a whole document nothing goes', '{"items":[{"id":1},{"id":2,}],}', { items: [{ id: 1 }, { id: 2 }] }],
  ])('%s', (_name, text, value) => {
    expect(JSON.parse(repairJson(text, 2))).toEqual(value)
  })
})

test('valid JSON is unchanged, and any truncation of it can be repaired', () => {
  const documents = fc.record({ items: fc.array(fc.json().map((text) => ({ value: JSON.parse(text) as unknown }))) })
  fc.assert(
    fc.property(documents, fc.double({ min: 0, max: 1, noNaN: true }), (document, share) => {
      const text = JSON.stringify(document)
      const cut = text.slice(0, '{"items":['.length + share * text.length)
      const { items } = JSON.parse(repairJson(cut, 2)) as typeof document
      expect(items).toEqual(document.items.slice(0, items.length))
      expect(JSON.parse(repairJson(text))).toEqual(document)
    }),
  )
})

test('depth and length do not matter', () => {
  expect(repairJson('['.repeat(500_000))).toHaveLength(1_000_000)
  expect(repairJson('{"a":'.repeat(200_000), 2)).toBe('{"a":{}}')
  expect(repairJson(`["${'"'.repeat(500_000)}`).length).toBeLessThan(1_100_000)
})

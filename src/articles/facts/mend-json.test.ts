/** JSON as pages write it. */
import { expect, test } from 'vitest'
import { mendJson } from './mend-json.ts'

test.each([
  ['sound JSON', '{"a":[1,{"b":"c"}]}', { a: [1, { b: 'c' }] }],
  ['a line break in a string', '{"a":"x\ny"}', { a: 'x y' }],
  ['commas too many', '{"a":[1,2,],}', { a: [1, 2] }],
  ['quotes in a string', '{"a":"he said "hi" to me","b":"c"}', { a: 'he said "hi" to me', b: 'c' }],
  ['a backslash that escapes nothing', '{"a":"C:\\x"}', { a: 'C:\\x' }],
  ['an end that is missing', '{"a":{"b":["c","d', { a: { b: ['c', 'd'] } }],
  ['something behind the end', '{"a":1};window.x={}', { a: 1 }],
  ['the comments of old', '<!--\n//<![CDATA[\n{"a":1}\n//]]>\n-->', { a: 1 }],
  ['entities for quotes', '{&quot;a&quot;:&quot;b&quot;}', { a: 'b' }],
  [
    'facts in rubbish',
    '{ headline: no, "headline": "A \\"b\\" \\u00e9", "datePublished" : "2020-01-01" x',
    { headline: 'A "b" é', datePublished: '2020-01-01' },
  ],
  ['rubbish', 'var x = y', undefined],
  ['nothing', '', undefined],
])('%s', (_name, script, value) => {
  expect(mendJson(script)).toEqual(value)
})

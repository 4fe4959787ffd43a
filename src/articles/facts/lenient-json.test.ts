/** JSON in the scripts of pages. */
import { expect, test } from 'vitest'
import { parseScriptJson } from './lenient-json.ts'

test.each([
  ['sound JSON', '{"a":[1,{"b":"c"}]}', { a: [1, { b: 'c' }] }],
  ['JSON that needs mending', '{"a":[1,2,],', { a: [1, 2] }],
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
  expect(parseScriptJson(script)).toEqual(value)
})

/** JSON in the scripts of pages. */
import { expect, test } from 'vitest'
import { parseScriptJson } from './lenient-json.ts'

test.each([
  ['valid JSON', '{"a":[1,{"b":"c"}]}', { a: [1, { b: 'c' }] }],
  ['JSON that needs repair', '{"a":[1,2,],', { a: [1, 2] }],
  ['JSON in an HTML comment', '<!--\n//<![CDATA[\n{"a":1}\n//]]>\n-->', { a: 1 }],
  ['JSON with entities for quotes', '{&quot;a&quot;:&quot;b&quot;}', { a: 'b' }],
  [
    'known fields in invalid JSON',
    '{ headline: no, "headline": "A \\"b\\" \\u00e9", "datePublished" : "2020-01-01" x',
    { headline: 'A "b" é', datePublished: '2020-01-01' },
  ],
  ['invalid JSON without known fields', 'var x = y', undefined],
  ['an empty script', '', undefined],
])('%s', (_name, script, value) => {
  expect(parseScriptJson(script)).toEqual(value)
})

/** Compares the tokenizer with htmlparser2's, which is proven on the web. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Tokenizer } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { ATTACKS } from '../articles/safe/attacks.fixture.ts'
import { htmlParts, nextPart } from './html-tokenizer.ts'

/** Ends whatever is open: the two differ on truncated documents. */
const END = ` "'>-->]]></script></style></title></textarea></iframe></noembed></noframes></xmp>end`

const PIECES = [
  ...[
    '<',
    '>',
    '/',
    '=',
    '"',
    "'",
    '!',
    '?',
    '-',
    '--',
    ' ',
    '\n',
    '\f',
    '\0',
    'a',
    'B',
    '1',
    '&amp;',
    '<<',
    '</',
    '<!',
  ],
  ...[
    '<p>',
    '</p>',
    '<P CLASS=x>',
    '<br/>',
    '<a href="x>y">',
    "<a title='\"'>",
    '<a b c=d e = "f">',
    '<a / b>',
    '<a =b>',
  ],
  ...[
    '<a href=>',
    '<a href=x/>',
    '</p class="x>y">',
    '</ p>',
    '</>',
    '</1>',
    '<?php ?>',
    '<!doctype html>',
    '<!d>',
    '<!->',
  ],
  ...[
    '<!-->',
    '<!--->',
    '<!-- a -- b -->',
    '<!--a--!>',
    '<!--a--->',
    '<![CDATA[a]]>',
    '<![CDATA[a]]]>',
    '<![cdata[a]]>',
  ],
  ...['<script>', '</script>', '</script >', '</scripty>', '<SCRIPT/x>', '<style>', '</style>', '<title>', '</title/>'],
  ...[
    '<textarea>',
    '</textarea>',
    '<svg>',
    '</svg>',
    '<math>',
    '</math>',
    '<iframe>',
    '<xmp>',
    '<noembed>',
    '<noscript>',
  ],
]

describe('produces the tokens of htmlparser2', () => {
  test('for random combinations of awkward fragments', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }), (fragments) => {
        const html = fragments.join('') + END
        expect(ourEvents(html)).toEqual(referenceEvents(html))
      }),
      { numRuns: 3_000 },
    )
  })

  test.each(ATTACKS)('for %s', (_, html) => {
    expect(ourEvents(html + END)).toEqual(referenceEvents(html + END))
  })

  test('for pages, complete and truncated anywhere', () => {
    const folder = new URL('../../test/fixtures/articles/', import.meta.url)
    const pages = readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    for (const page of pages) expect(ourEvents(page)).toEqual(referenceEvents(page))
    fc.assert(
      fc.property(fc.constantFrom(...pages), fc.nat(3_000), fc.nat(3_000), (page, from, to) => {
        const html = page.slice(from, from + to) + END
        expect(ourEvents(html)).toEqual(referenceEvents(html))
      }),
    )
  })
})

test.each([
  ['a<', 'text a<'],
  ['a</', 'text a|text </'],
  ['a<b', 'text a'],
  ['a<b c="d', 'text a|tag b'],
  ['a<b c=d', 'text a|tag b'],
  ['a</b', 'text a'],
  ['a<!-- b', 'text a'],
  ['a<script>b', 'text a|tag script|opened|text b'],
  ['<plaintext></plaintext>', 'tag plaintext|opened|text </plaintext>'],
])('drops the incomplete token at the end of %s', (html, events) => {
  expect(ourEvents(html).join('|')).toBe(events)
})

test('in XML, <title> and <script> are ordinary elements', () => {
  expect(events('<title><![CDATA[a]]></title>', { isXml: true }).join('|')).toBe('tag title|opened|data a|closed title')
})

test.each([
  ['a <T b="c"> d', 'text a |text <T b="c"> d'],
  ['<i>a</i> <i b', 'tag i|opened|text a|closed i|text  |tag i'],
  ['a <T <i>b</i></T>', 'text a |text <T |tag i|opened|text b|closed i|text </T>'],
  ['<!doctype a><!--b--><?c?><![CDATA[d]]>', 'text <!doctype a>|text <?c?>|data d'],
])('in loose mode, tokenizes %s', (html, expected) => {
  expect(events(html, { isLoose: true }).join('|')).toBe(expected)
})

test('returns nothing more after the end', () => {
  const parts = htmlParts('<p>a')
  while (nextPart(parts) !== 'end');
  expect(nextPart(parts)).toBe('end')
})

/** Both track roughly whether they are inside SVG or MathML. */
function createEvents() {
  const events: string[] = []
  let foreign = 0
  let name = ''
  const isForeignName = () => name === 'svg' || name === 'math'
  return {
    events,
    isForeign: () => foreign > 0,
    text: (text: string) => void events.push(`text ${text}`),
    data: (text: string) => void events.push(`data ${text}`),
    tag(tag: string) {
      name = tag
      events.push(`tag ${name}`)
    },
    attribute: (attribute: string, value: string) => void events.push(`attribute ${attribute}=${value}`),
    opened(selfClosed: boolean) {
      if (isForeignName() && !selfClosed) foreign++
      events.push(selfClosed ? 'opened itself' : 'opened')
    },
    closed(tag: string) {
      name = tag
      if (isForeignName()) foreign = 0
      events.push(`closed ${tag}`)
    },
  }
}

function ourEvents(html: string): string[] {
  return events(html, {})
}

function events(html: string, { isXml = false, isLoose = false }): string[] {
  const recorder = createEvents()
  const at = (start: number, end: number) => html.slice(start, end)
  const parts = htmlParts(html, isLoose)
  parts.isForeign = isXml
  for (let part = nextPart(parts); part !== 'end'; part = nextPart(parts)) {
    const { start, end, valueStart, valueEnd } = parts
    if (part === 'text') recorder.text(at(start, end))
    else if (part === 'data') recorder.data(at(start, end))
    else if (part === 'tag') recorder.tag(at(start, end).toLowerCase())
    else if (part === 'attribute') recorder.attribute(at(start, end), at(valueStart, valueEnd))
    else if (part === 'opened') recorder.opened(parts.isSelfClosed)
    else if (part === 'closed') recorder.closed(at(start, end).toLowerCase())
    if (!isXml) parts.isForeign = recorder.isForeign()
  }
  return recorder.events
}

function referenceEvents(html: string): string[] {
  const recorder = createEvents()
  const at = (start: number, end: number) => html.slice(start, end)
  let attribute = ''
  let value = ''
  const ignored = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext: (start, end) => recorder.text(at(start, end)),
      oncdata: (start, end, offset) => recorder.data(at(start, end - offset)),
      onopentagname: (start, end) => recorder.tag(at(start, end).toLowerCase()),
      onattribname(start, end) {
        attribute = at(start, end)
        value = ''
      },
      onattribdata(start, end) {
        value += at(start, end)
      },
      onattribend: () => recorder.attribute(attribute, value),
      onopentagend: () => recorder.opened(false),
      onselfclosingtag: () => recorder.opened(true),
      onclosetag: (start, end) => recorder.closed(at(start, end).toLowerCase()),
      isInForeignContext: recorder.isForeign,
      onattribentity: ignored,
      ontextentity: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      onend: ignored,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return recorder.events
}

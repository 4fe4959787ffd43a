/**
 * Work grows linearly with the page. Time is unreliable on a busy machine, so steps are counted: V8 counts how often
 * each block of this module's code ran. Pages are repeated patterns of difficult fragments.
 */
import { Session } from 'node:inspector/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractArticle } from './index.ts'

const SENTENCE = 'The river rose by two metres in the night, and the lower town was under water. '

const FRAGMENTS = [
  SENTENCE,
  '<div>',
  '</div>',
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<i><a href="/x">',
  '</a>',
  '<a href="/other/page">A linked title of some length</a>',
  '<ul><li>',
  '</li>',
  '</ul>',
  '<table><tr><td>',
  '</td>',
  '</table>',
  '<article>',
  '<h1>Some title</h1>',
  '<h2>',
  '<br>',
  '<br><br>',
  '<blockquote>',
  '<span hidden>',
  '<div class="comment share related">',
  '<div class="card"><a href="/x"><h3>Another article on this site</h3></a><p>And how it begins.</p></div>',
  '<figure><img src="/a.jpg"><figcaption>A picture</figcaption></figure>',
  '<time datetime="2020-01-01">',
  '<span itemprop="author" itemscope>',
  '<span class="author date">By Ada Byron, 3 May 2020</span>',
  '<script type="application/ld+json">{"@type":"Article","headline":"Some title","author":[{"name":"x"',
  '</script>',
  '<svg><path>',
  '<select><option>',
  '<pre>a\n',
  '<!-- ',
  '&amp;&nbsp;&bogus;',
  '</span></section></nav>',
  '<',
]

/**
 * Allowed growth for four times the page. V8 merges neighboring blocks with the same count, so the sum varies;
 * quadratic growth would be sixteen.
 */
const LINEAR = 6

const inspector = new Session()

beforeAll(async () => {
  inspector.connect()
  await inspector.post('Profiler.enable')
  // Must be started first: only code compiled afterwards is counted.
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
})

afterAll(async () => {
  await inspector.post('Profiler.stopPreciseCoverage')
  await inspector.post('Profiler.disable')
  inspector.disconnect()
})

test('four times the page takes about four times the steps', async () => {
  const patterns = fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(patterns, async (pattern) => {
      const page = (times: number) => `<h1>Some title</h1>${pattern.join('').repeat(times)}`
      const steps = await stepsOf(page(200))
      expect(steps).toBeGreaterThan(100)
      expect(await stepsOf(page(800))).toBeLessThan(LINEAR * steps)
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['nested elements', (count: number) => '<div>'.repeat(count)],
  ['unclosed inline elements', (count: number) => `<p>${'<b>'.repeat(count)}${SENTENCE}`],
  ['stray end tags in open elements', (count: number) => '<div><i>'.repeat(count) + '</span></b>'.repeat(count)],
  ['inline end tags outside blocks', (count: number) => '<b><div>'.repeat(count) + '</b>'.repeat(count)],
  ['paragraphs', (count: number) => `<p>${SENTENCE}</p>`.repeat(count)],
  ['nested lists', (count: number) => '<ul><li>x'.repeat(count)],
  ['nested quotations', (count: number) => `<blockquote><p>${SENTENCE}`.repeat(count)],
  ['attributes', (count: number) => `<p ${'class=a id=b data-x=c '.repeat(count)}>${SENTENCE}`],
  ['class names', (count: number) => `<p class="${'shareLinks related-posts '.repeat(count)}">${SENTENCE}`],
])('%s', async (_name, page) => {
  const steps = await stepsOf(page(1_000))
  expect(await stepsOf(page(4_000))).toBeLessThan(LINEAR * steps)
})

async function stepsOf(page: string): Promise<number> {
  await inspector.post('Profiler.takePreciseCoverage')
  extractArticle(page, 'https://news.example/a')
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  let steps = 0
  for (const { url, functions } of result) {
    if (!/src\/(?:articles|markup)\/(?!.*\.test\.)/.test(url)) continue
    for (const { ranges } of functions) for (const { count } of ranges) steps += count
  }
  return steps
}

import { expect, it } from 'vitest'
import { largePictures } from './large-pictures.ts'

const BASE = 'https://a.example/news/1'

it.each<[string, string, string[]]>([
  ['a picture', '<p>Look:</p><img src="/a.jpg?x=1&amp;y=2">', ['https://a.example/a.jpg?x=1&y=2']],
  [
    'one that is loaded later',
    '<img src="data:image/gif;base64,R0" data-src="b.jpg">',
    ['https://a.example/news/b.jpg'],
  ],
  ['no icon', '<img src="/i.png" width="16" height="16"><img src="/b.jpg" width="600">', ['https://a.example/b.jpg']],
  ['no tracking pixel', '<img src="https://x.example/p.gif" width="1" height="1">', []],
  ['no text about pictures', 'an &lt;img src="/a.jpg"&gt; tag', []],
  ['none far behind the first', `<img src="/i.png" width="9">${'x'.repeat(5000)}<img src="/b.jpg">`, []],
  ['none whose tag is cut off', `<img src="/a.jpg">${'x'.repeat(3970)}<img src="/b.jpg">`, ['https://a.example/a.jpg']],
])('finds %s', (_, html, found) => expect(largePictures(html, BASE)).toEqual(found))

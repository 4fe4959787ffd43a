import { describe, expect, it } from 'vitest'
import { makeLinksAbsolute } from './absolute-links.ts'

const absolute = (html: string) => makeLinksAbsolute(html, 'https://a.example/b/c')

describe('makeLinksAbsolute', () => {
  it.each([
    ['<a href="d">x</a>', '<a href="https://a.example/b/d">x</a>'],
    ["<A HREF = '/d?x=1&amp;y=2'>", "<A HREF = 'https://a.example/d?x=1&amp;y=2'>"],
    ['<img alt="" src="//cdn.example/d.png">', '<img alt="" src="https://cdn.example/d.png">'],
    [
      '<video poster="p.jpg" src="v.mp4">',
      '<video poster="https://a.example/b/p.jpg" src="https://a.example/b/v.mp4">',
    ],
    ['<q cite="">x</q>', '<q cite="https://a.example/b/c">x</q>'],
  ])('resolves %j', (html, expected) => {
    expect(absolute(html)).toBe(expected)
  })

  it.each([
    '<a href="https://x.example/">x</a>',
    '<a href="#here">x</a>',
    '<a href="mailto:jo@example.org">x</a>',
    '<a data-href="x" title="y">x</a>',
    'text that says href="x"',
    '<a href="never ends',
    '<a href=x>',
  ])('leaves %j unchanged', (html) => {
    expect(absolute(html)).toBe(html)
  })
})

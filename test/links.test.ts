/** Links between our pages, and references to pages in comments, lead to files and headings that exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md', 'web/*.md'], { cwd: ROOT })

it('links in docs lead to files and headings that exist', () => {
  expect(pages.length).toBeGreaterThan(40)
  const dead = (page: string) => linksIn(page).filter((link) => isDead(page, link))
  expect(pages.flatMap((page) => dead(page).map((link) => `${page}: ${link}`))).toEqual([])
})

it('comments refer to docs that exist', () => {
  const sources = globSync('{src,test,bench,tools,web}/**/*.{ts,svelte,sql}', { cwd: ROOT })
  const named = sources.flatMap((file) => read(file).match(/\bdocs\/[\w/-]+\.md\b|\bdocs\/decisions\/[\w-]+/g) ?? [])
  expect([...new Set(named)].filter((page) => !existsSync(join(ROOT, page)))).toEqual([])
})

it('the index of decisions lists every page', () => {
  const listed = linksIn('docs/decisions/README.md').map((link) => join('docs/decisions', link))
  const unlisted = pages.filter((page) => dirname(page) === 'docs/decisions' && !listed.includes(page))
  expect(unlisted).toEqual([join('docs/decisions', 'README.md')])
})

function linksIn(page: string): string[] {
  const text = read(page).replace(/^```.*?^```/gms, '')
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link).filter((link) => !/^\w+:/.test(link))
}

function isDead(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path ? join(dirname(page), path) : page
  if (!existsSync(join(ROOT, target))) return true
  return heading !== undefined && !headingsOf(target).includes(heading)
}

/** Anchors as GitHub generates them. */
function headingsOf(page: string): string[] {
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
  return Array.from(read(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchor(heading))
}

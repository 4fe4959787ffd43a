/** Styles follow the direction of the text, so that languages from right to left mirror the page. */
import { expect, test } from 'vitest'

const STYLES = import.meta.glob<string>(['../**/*.svelte', './*.css', '../public/*.css'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

const LENGTH = String.raw`((?:\w+\((?:[^()]|\([^()]*\))*\)|[^\s();])+)`
/** Four lengths, of which the second and the fourth are right and left. */
const FOUR = new RegExp(String.raw`^\s*(?:margin|padding|inset|border-width): ${Array(4).fill(LENGTH).join(' ')};$`)
const PHYSICAL =
  /^\s*(?:(?:margin|padding|border|inset)-(?:left|right)(?:-\w+)?|left|right|(?:float|text-align): (?:left|right))\b.*[:;]/
/** What is centered has no side. */
const CENTERED = /^\s*left: 50%;$/

test('no style names left or right', () => {
  const found = Object.entries(STYLES).flatMap(([path, source]) => {
    const css = path.endsWith('.css') ? source : (/<style[^>]*>([\s\S]*)<\/style>/.exec(source)?.[1] ?? '')
    return css.split('\n').flatMap((line) => {
      const [, , right, , left] = FOUR.exec(line) ?? []
      const isPhysical = right !== left || (PHYSICAL.test(line) && !CENTERED.test(line))
      return isPhysical ? [`${path}: ${line.trim()}; write inline-start or inline-end`] : []
    })
  })
  expect(Object.keys(STYLES).length).toBeGreaterThan(50)
  expect(found).toEqual([])
})

/**
 * One name, one thing: what a file exports under a name, no other file does. Who searches for it finds one place, and
 * an import needs no second look.
 * What tests are built from may stand in for the real one, under its name.
 */
import { type Brick, isForTests } from './bricks.ts'

export function namedTwice(bricks: Brick[]): string[] {
  const homes = new Map<string, Set<string>>()
  for (const { path, defines } of bricks.filter(({ path }) => !isForTests(path)))
    for (const name of defines) homes.set(name, (homes.get(name) ?? new Set()).add(`src/${path}`))
  return [...homes]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name} is exported by ${[...paths].join(' and ')}: let each say what it is`)
}

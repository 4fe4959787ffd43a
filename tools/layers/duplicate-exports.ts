/**
 * No two files export the same name, so that a search finds one place. Test fixtures may replace an export under its name.
 */
import { isForTests, type SourceFile } from './source-files.ts'

export function duplicateExports(files: SourceFile[]): string[] {
  const paths = new Map<string, Set<string>>()
  for (const { path, exports } of files.filter(({ path }) => !isForTests(path)))
    for (const name of exports) paths.set(name, (paths.get(name) ?? new Set()).add(`src/${path}`))
  return [...paths]
    .filter(([, found]) => found.size > 1)
    .map(([name, found]) => `${name} is exported by ${[...found].join(' and ')}: rename one of them`)
}

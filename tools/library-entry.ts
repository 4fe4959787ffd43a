/**
 * The file behind `import 'freshet-crawler'`, written when the package is built. A module that imports what an old Node does not
 * have cannot even say so: it fails while it is linked, before any of it runs. So the library is entered by a door that every
 * Node can read. It looks at the version first, and only then loads the rest, at once, so that require() works as well.
 */
export function libraryEntry(names: readonly string[], engines: string): string {
  const needed = Number(/\d+/.exec(engines)?.[0])
  return `import { createRequire } from 'node:module'

if (Number.parseInt(process.versions.node, 10) < ${needed})
  throw new Error(
    'freshet-crawler needs Node ${needed} or newer, and this is ' + process.version + ': please install it from nodejs.org',
  )

export const {
${names.map((name) => `  ${name},\n`).join('')}} = createRequire(import.meta.url)('./index.js')
`
}

/**
 * `npm run build`: makes dist/ from src/ for the published package. tsc writes the type declarations, bundle.ts the JavaScript; other files
 * (migrations) are copied to the same place; Vite builds the page in web/. The library gets an entry file that old Node versions can parse,
 * too. Finally it verifies the result: every entry of "exports" is imported, and the program behind "bin" has to print its version.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from './bundle.ts'
import { libraryEntry } from './library-entry.ts'
import { buildPage } from './page.ts'

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')
const dist = join(root, 'dist')
const manifest: {
  version: string
  engines: { node: string }
  bin: Record<string, string>
  exports: Record<string, string | Record<string, string>>
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Modules that bin/freshet.js loads. */
const PROGRAM = ['app/heap', 'cli/main']
/** Modules that threads load by path. */
const THREADS = [
  'runtime/thread-entry',
  'runtime/function-thread-entry',
  'stores/sqlite/store-thread',
  'crawl/grouping/analysis-thread',
  'crawl/fetcher/read-document',
  'lab/trial-worker',
]

rmSync(dist, { recursive: true, force: true })
execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--emitDeclarationOnly'],
  {
    cwd: root,
    stdio: 'inherit', // tsc prints errors to stdout
    timeout: 300_000,
  },
)
const assets = copyAssets()
await bundle({ src, dist, entries: [...exportedModules(), ...PROGRAM, ...THREADS] })
await buildPage(join(dist, 'web'))
await writeLibraryEntry()
await tryExports()
tryProgram()
console.log(`dist/ is built: ${assets} assets copied, ${Object.keys(manifest.exports).length} exports tried`)

/** `./dist/feeds/index.js` and `./dist/library/index.d.ts` are modules of src. */
function exportedModules(): string[] {
  const paths = Object.values(manifest.exports).flatMap((to) => (typeof to === 'string' ? [to] : Object.values(to)))
  const modules = paths.flatMap((path) => /^\.\/dist\/(.+?)(?:\.d\.ts|\.js)$/.exec(path)?.[1] ?? [])
  return [...new Set(modules)].filter((module) => existsSync(join(src, `${module}.ts`)))
}

function copyAssets(): number {
  const assets = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(src.length))
  for (const path of assets) cpSync(join(src, path), join(dist, path))
  return assets.length
}

async function writeLibraryEntry(): Promise<void> {
  const names = Object.keys(await import(pathToFileURL(join(dist, 'library/index.js')).href))
  writeFileSync(join(dist, 'library/entry.js'), libraryEntry(names, manifest.engines.node))
}

async function tryExports(): Promise<void> {
  const paths = Object.entries(manifest.exports).flatMap(([name, to]) =>
    (typeof to === 'string' ? [to] : Object.values(to)).map((path) => [name, path] as const),
  )
  for (const [name, path] of paths) {
    const file = join(root, path)
    if (!existsSync(file)) throw new Error(`package.json exports "${name}" as ${path}, which was not built`)
    if (path.endsWith('.js')) await import(pathToFileURL(file).href)
  }
}

/** In a checkout the launcher prefers the sources, so the built program is called directly. */
function tryProgram(): void {
  for (const [name, path] of Object.entries(manifest.bin)) {
    if (!existsSync(join(root, path)))
      throw new Error(`package.json names ${path} as the command ${name}: no such file`)
  }
  const printed = execFileSync(process.execPath, [join(dist, 'cli/main.js'), '--version'], {
    encoding: 'utf8',
    timeout: 30_000,
  }).trim()
  if (printed !== manifest.version)
    throw new Error(`the built program calls itself ${printed}, not ${manifest.version}`)
}

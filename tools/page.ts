/**
 * Builds the page: Vite turns web/ into plain files. `node tools/page.ts` builds it for a checkout, in a folder named by the hash of its
 * sources, and prints that folder: unchanged sources are not built again, and concurrent builds do not conflict, because a folder gets its
 * name when it is complete. `npm run build` puts the files into the package (tools/build.ts).
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..')
const web = join(root, 'web')
const cache = join(root, 'node_modules', '.cache', 'freshet-page')
/** Sources besides web/: the build configuration, and the client that is part of the page. */
const MADE_OF = [
  'tools/page.ts',
  'package-lock.json',
  'src/client/client.ts',
  'src/client/index.ts',
  'src/client/routes.ts',
]

if (import.meta.main) console.log(await pageOfCheckout())

export async function buildPage(into: string): Promise<void> {
  await build({
    configFile: false,
    root: web,
    logLevel: 'warn',
    publicDir: join(web, 'public'),
    plugins: [svelte({ configFile: false, compilerOptions: { runes: true } }), listOfFiles(), preloadPage()],
    build: {
      outDir: into,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0, // the page's content security policy refuses data: addresses
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          // Two files for the first view, each with all it imports: what loads the texts, and the page, which needs them.
          codeSplitting: {
            groups: [
              { name: 'main', test: /\/web\/main\.ts$/, priority: 2 },
              { name: 'page', test: /\/web\/start-page\.ts$/, priority: 1 },
            ],
          },
        },
      },
    },
  })
  compressFiles(into)
}

/** Beside each text: the same, compressed as well as possible, as `src/server/web-page.ts` serves it. */
function compressFiles(folder: string): void {
  const MIN_BYTES = 1024
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:html|css|js|json|webmanifest|svg)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const file = readFileSync(path)
    if (file.length < MIN_BYTES) continue
    writeFileSync(`${path}.br`, brotliCompressSync(file))
    writeFileSync(`${path}.zst`, zstdCompressSync(file, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }))
    writeFileSync(`${path}.gz`, gzipSync(file, { level: 9 }))
  }
}

async function pageOfCheckout(): Promise<string> {
  const folder = join(cache, hashOfSources())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = `${folder}.${process.pid}`
  await buildPage(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // another process was faster
  }
  dropOlder(basename(folder))
  return folder
}

function hashOfSources(): string {
  const files = readdirSync(web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  const hash = createHash('sha256')
  for (const file of [...files, ...MADE_OF].sort()) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Servers that still run on older sources read their files at times, so the last few builds stay. */
function dropOlder(current: string): void {
  const MAX_CACHED = 4
  const others = readdirSync(cache, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name) && entry.name !== current)
    .map(({ name }) => ({ name, at: builtAt(name) }))
    .sort((a, b) => b.at - a.at)
  for (const { name } of others.slice(MAX_CACHED)) rmSync(join(cache, name), { recursive: true, force: true })
}

function builtAt(name: string): number {
  try {
    return Number(readFileSync(join(cache, name, 'built'), 'utf8'))
  } catch {
    return 0
  }
}

/** `assets.json`: the files that the service worker caches, and the catalogs, of which it caches one. */
function listOfFiles(): Plugin {
  return {
    name: 'list-of-files',
    writeBundle({ dir }, bundle) {
      if (!dir) return
      const names = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      const version = createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 16)
      const addresses = names.map((name) => `/${name}`)
      const catalogs = addresses.filter((address) => address.endsWith('.json'))
      const files = addresses.filter((address) => !address.endsWith('.json'))
      writeFileSync(join(dir, 'assets.json'), JSON.stringify({ version, files, catalogs }))
      writeFileSync(join(dir, 'built'), String(Date.now()))
    },
  }
}

/** The page itself is imported after its texts (web/main.ts); its files are loaded at the same time as those. */
function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    transformIndexHtml(_html, { bundle = {} }) {
      const page = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'page')
      if (page?.type !== 'chunk') throw new Error('the bundle has no file of web/start-page.ts')
      const styles = [...(page.viteMetadata?.importedCss ?? [])]
      const load = (rel: string, name: string) => ({
        tag: 'link',
        attrs: { rel, crossorigin: true, href: `/${name}` },
        injectTo: 'head' as const,
      })
      return [load('modulepreload', page.fileName), ...styles.map((name) => load('stylesheet', name))]
    },
  }
}

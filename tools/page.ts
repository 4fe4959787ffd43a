/**
 * How the page is made: Vite turns web/ into plain files. `node tools/page.ts` makes them for a checkout, in a folder that is
 * named by what they are made of, and prints that folder: sources that did not change are not built again, whoever asks, and
 * two that ask at once do each other no harm, for a folder gets its name when it is whole. `npm run build` puts them into the
 * package (tools/build.ts).
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..')
const web = join(root, 'web')
const kept = join(root, 'node_modules', '.cache', 'freshet-page')
/** Beside the page itself: what it is compiled by, and the client that is part of it. */
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
    plugins: [svelte({ configFile: false, compilerOptions: { runes: true } }), listOfFiles()],
    build: {
      outDir: into,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0, // the policy of the page refuses data: addresses
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
}

async function pageOfCheckout(): Promise<string> {
  const folder = join(kept, hashOfSources())
  if (existsSync(folder)) return folder
  mkdirSync(kept, { recursive: true })
  const unfinished = `${folder}.${process.pid}`
  await buildPage(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // somebody else was faster
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

/** Servers that still run on older sources read their files now and then: the last few stay. */
function dropOlder(current: string): void {
  const MOST_KEPT = 4
  const others = readdirSync(kept, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name) && entry.name !== current)
    .map(({ name }) => ({ name, at: builtAt(name) }))
    .sort((a, b) => b.at - a.at)
  for (const { name } of others.slice(MOST_KEPT)) rmSync(join(kept, name), { recursive: true, force: true })
}

function builtAt(name: string): number {
  try {
    return Number(readFileSync(join(kept, name, 'built'), 'utf8'))
  } catch {
    return 0
  }
}

/** `assets.json`: what the service worker keeps for when the server is away. */
function listOfFiles(): Plugin {
  return {
    name: 'list-of-files',
    writeBundle({ dir }, bundle) {
      if (!dir) return
      const names = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      const version = createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 16)
      writeFileSync(join(dir, 'assets.json'), JSON.stringify({ version, files: names.map((name) => `/${name}`) }))
      writeFileSync(join(dir, 'built'), String(Date.now()))
    },
  }
}

/**
 * Joins the modules of src/ into few files for the published package. Node takes a third of a millisecond per module, and every thread
 * loads its own (docs/decisions/package-and-modules.md).
 *
 * Packages stay imports. All code is one folder below dist/, so that `import.meta.url` can be rewritten to the address that a module has
 * without bundling: files beside it (migrations, tables, modules of threads) are found as before.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { build, type Plugin } from 'vite'

interface BundleOptions {
  src: string
  dist: string
  /** Modules that are imported by path, from outside or by a thread: `cli/main`. */
  entries: readonly string[]
}

export async function bundle({ src, dist, entries }: BundleOptions): Promise<void> {
  await build({
    configFile: false,
    root: src,
    logLevel: 'warn',
    publicDir: false,
    plugins: [ownAddresses(src)],
    build: {
      ssr: true,
      outDir: dist,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [fileOf(entry), join(src, `${entry}.ts`)])),
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared/[name]-[hash].js',
          // Comments and whitespace are removed; names stay, because stack traces show them.
          minify: { compress: false, mangle: false, codegen: true },
        },
      },
    },
  })
  for (const entry of entries.filter((one) => fileOf(one) !== one)) {
    const file = join(dist, `${entry}.js`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `export * from '${relative(dirname(file), join(dist, `${fileOf(entry)}.js`))}'\n`)
  }
}

/** A module in a deeper folder has its code in threads/, and a file that re-exports it. */
function fileOf(entry: string): string {
  return entry.split('/').length === 2 ? entry : `threads/${entry.replaceAll('/', '-')}`
}

function ownAddresses(src: string): Plugin {
  return {
    name: 'own-addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(src) || !code.includes('import.meta.url')) return undefined
      const address = `../${relative(src, id).replaceAll(sep, '/').replace(/\.ts$/, '.js')}`
      return { code: code.replaceAll('import.meta.url', `new URL('${address}', import.meta.url).href`), map: null }
    },
  }
}

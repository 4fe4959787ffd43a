/**
 * Serves the files of the page, built by Vite from web/. They are few and small, so each request reads them from disk, compressed as the
 * build left them there, if the client accepts that. Files in assets/ have a hash in their name and are cached forever; the others are revalidated. All views of the page are served the same document. Only
 * plain names with known extensions are read, so no path can lead out of the folder.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { acceptedEncoding, type Encoding } from './compress.ts'

const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['webmanifest', 'application/manifest+json'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
])

/** Made by the build, the smallest first. */
const BUILT: readonly Encoding[] = ['br', 'zstd', 'gzip']
const BUILT_EXTENSIONS: Record<Encoding, string> = { br: '.br', zstd: '.zst', gzip: '.gz' }

/** The first path segment of the page's views; the rest of the path is handled by the page. */
const VIEWS = ['read', 'morning', 'site', 'add', 'subscriptions', 'dashboard', 'welcome', 'sign-in']

/** Requests wait until `folder` is built. */
export function webPageRoutes(folder: () => Promise<string>): Hono {
  const app = new Hono()

  async function answer(c: Context, name: string, next: () => Promise<void>) {
    const type = TYPES.get(name.split('.').at(-1) ?? '')
    if (!type) return next()
    const path = join(await folder(), name)
    const encoding = acceptedEncoding(c.req.header('accept-encoding'), BUILT)
    const packed = encoding && (await readIfExists(path + BUILT_EXTENSIONS[encoding]))
    const body = packed ?? (await readIfExists(path))
    if (!body) return next()
    const isImmutable = name.startsWith('assets/')
    return c.body(body, 200, {
      'content-type': type,
      ...(packed && { 'content-encoding': encoding, vary: 'Accept-Encoding' }),
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }

  app.get('/', etag(), (c, next) => answer(c, 'index.html', next))
  for (const view of VIEWS) {
    app.get(`/${view}`, etag(), (c, next) => answer(c, 'index.html', next))
    app.get(`/${view}/*`, etag(), (c, next) => answer(c, 'index.html', next))
  }
  app.get('/assets/:name{[\\w-]+(\\.[\\w-]+)+}', (c, next) => answer(c, `assets/${c.req.param('name')}`, next))
  app.get('/:name{[a-z][a-z0-9-]*\\.[a-z]+}', etag(), (c, next) => answer(c, c.req.param('name'), next))
  return app
}

async function readIfExists(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

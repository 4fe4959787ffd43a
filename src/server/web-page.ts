/**
 * The files of the page, as Vite made them of web/. They are read at each request, for they are small and few. Those in
 * assets/ are named by what is in them, so a browser keeps them for ever; of the others it asks whether they changed. The
 * views of the page are addresses, too: each is the same document, which finds out what it is to show. Only plain names of
 * known types are looked up, so no path can lead out of the folder.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'

const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['webmanifest', 'application/manifest+json'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
])

/** The first word of an address that the page shows; what stands behind it is the page's own affair. */
const VIEWS = ['read', 'morning', 'site', 'add', 'engine', 'welcome']

/** `folder` may have to be made first; everybody who asks meanwhile waits. */
export function webPageRoutes(folder: () => Promise<string>): Hono {
  const app = new Hono()

  async function answer(c: Context, name: string, next: () => Promise<void>) {
    const type = TYPES.get(name.split('.').at(-1) ?? '')
    const body = type && (await readIfThere(join(await folder(), name)))
    if (!body || !type) return next()
    const isForEver = name.startsWith('assets/')
    return c.body(body, 200, {
      'content-type': type,
      'cache-control': isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }

  const paths = [
    '/',
    '/assets/*',
    '/:name{[a-z][a-z0-9-]*\\.[a-z]+}',
    ...VIEWS.flatMap((view) => [`/${view}`, `/${view}/*`]),
  ]
  for (const path of paths) app.use(path, compress({ threshold: 1024 }))
  app.get('/', etag(), (c, next) => answer(c, 'index.html', next))
  for (const view of VIEWS) {
    app.get(`/${view}`, etag(), (c, next) => answer(c, 'index.html', next))
    app.get(`/${view}/*`, etag(), (c, next) => answer(c, 'index.html', next))
  }
  app.get('/assets/:name{[\\w-]+(\\.[\\w-]+)+}', (c, next) => answer(c, `assets/${c.req.param('name')}`, next))
  app.get('/:name{[a-z][a-z0-9-]*\\.[a-z]+}', etag(), (c, next) => answer(c, c.req.param('name'), next))
  return app
}

async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

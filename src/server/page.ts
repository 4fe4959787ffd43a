/**
 * The files of the page. They are read at each request, for they are small and few; a browser keeps them and asks whether
 * they changed. Only plain names of known types are looked up, so no path can lead out of the folder. One of them is not of the
 * page alone: the client, which every other program uses, too. Where we run from sources, its types are taken off.
 */
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { etag } from 'hono/etag'

const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['svg', 'image/svg+xml'],
])

const IS_SOURCE = import.meta.url.endsWith('.ts')
const CLIENT = fileURLToPath(new URL(`../client/client.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url))

export function page(webDir: string): Hono {
  const app = new Hono()
  app.get('/:name{[a-z-]*(\\.[a-z]+)?}', etag(), async (c, next) => {
    const name = c.req.param('name') || 'index.html'
    const type = TYPES.get(name.split('.')[1] ?? '')
    const body = name === 'client.js' ? await clientFile() : type && (await readIfThere(join(webDir, name)))
    if (!body || !type) return next()
    return c.body(body, 200, { 'content-type': type, 'cache-control': 'no-cache' })
  })
  return app
}

async function clientFile(): Promise<string> {
  const text = await readFile(CLIENT, 'utf8')
  return IS_SOURCE ? stripTypeScriptTypes(text) : text
}

async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * What stands beside the house: web/ is compiled for browsers and has rules of its own. Of src it may import the rooms that
 * `beside` in house.json lends it, by their index.ts, and of others only types; of packages only those that are named there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import type { Plan } from './plan.ts'

const IMPORT =
  /^[ \t]*(?:import|export)\s+(type\s+)?(?:[^'"\n;]*?\sfrom\s+)?['"]([^'"\n]+)['"]|import\(\s*['"]([^'"\n]+)['"]\s*\)/gm

export function besideComplaints(root: string, { beside = {} }: Plan): string[] {
  return Object.entries(beside).flatMap(([folder, { rooms, types, packages }]) => {
    if (!existsSync(join(root, folder))) return []
    return filesIn(join(root, folder)).flatMap((file) => {
      const path = posix.join(folder, file)
      const text = readFileSync(join(root, path), 'utf8')
      return [...text.matchAll(IMPORT)].flatMap(([, isType, from, called]) => {
        const why = complaint(path, from ?? called ?? '', isType !== undefined, { folder, rooms, types, packages })
        return why ? [`${path} ${why}`] : []
      })
    })
  })
}

interface Lent {
  folder: string
  rooms: string[]
  types: string[]
  packages: string[]
}

function complaint(
  path: string,
  specifier: string,
  isType: boolean,
  { folder, rooms, types, packages }: Lent,
): string | undefined {
  if (!specifier.startsWith('.')) {
    const [scope = '', name] = specifier.split('/')
    const called = scope.startsWith('@') ? `${scope}/${name}` : scope
    return packages.includes(called)
      ? undefined
      : `imports the package ${called}, which house.json does not lend to ${folder}`
  }
  const target = posix.join(posix.dirname(path), specifier)
  if (target.startsWith(`${folder}/`)) return undefined
  const [, room = ''] = /^src\/(\w+)\/index\.ts$/.exec(target) ?? []
  if (rooms.includes(room)) return undefined
  if (types.includes(room)) return isType ? undefined : `imports ${target}: ${folder} may know only types of ${room}`
  return `imports ${target}, which house.json does not lend to ${folder}`
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.(ts|svelte)$/.test(path) && !path.endsWith('.test.ts'))
    .sort()
}

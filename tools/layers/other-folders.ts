/**
 * Checks folders beside src: web/ is compiled for browsers and has rules of its own. From src it may import the modules that `otherFolders`
 * in layers.json allows, through their index.ts, and only types of others; and only the packages that are listed there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import type { LayersConfig } from './config.ts'

const IMPORT =
  /^[ \t]*(?:import|export)\s+(type\s+)?(?:[^'"\n;]*?\sfrom\s+)?['"]([^'"\n]+)['"]|import\(\s*['"]([^'"\n]+)['"]\s*\)/gm

export function otherFolderViolations(root: string, { otherFolders = {} }: LayersConfig): string[] {
  return Object.entries(otherFolders).flatMap(([folder, { modules, types, packages }]) => {
    if (!existsSync(join(root, folder))) return []
    return filesIn(join(root, folder)).flatMap((file) => {
      const path = posix.join(folder, file)
      const text = readFileSync(join(root, path), 'utf8')
      return [...text.matchAll(IMPORT)].flatMap(([, isType, from, called]) => {
        const why = violation(path, from ?? called ?? '', isType !== undefined, { folder, modules, types, packages })
        return why ? [`${path} ${why}`] : []
      })
    })
  })
}

interface Allowed {
  folder: string
  modules: string[]
  types: string[]
  packages: string[]
}

function violation(
  path: string,
  specifier: string,
  isType: boolean,
  { folder, modules, types, packages }: Allowed,
): string | undefined {
  if (!specifier.startsWith('.')) {
    const [scope = '', name] = specifier.split('/')
    const called = scope.startsWith('@') ? `${scope}/${name}` : scope
    return packages.includes(called)
      ? undefined
      : `imports the package ${called}, which layers.json does not allow to ${folder}`
  }
  const target = posix.join(posix.dirname(path), specifier)
  if (target.startsWith(`${folder}/`)) return undefined
  const [, module = ''] = /^src\/(\w+)\/index\.ts$/.exec(target) ?? []
  if (modules.includes(module)) return undefined
  if (types.includes(module))
    return isType ? undefined : `imports ${target}: ${folder} may import only types of ${module}`
  return `imports ${target}, which layers.json does not allow to ${folder}`
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.(ts|svelte)$/.test(path) && !path.endsWith('.test.ts'))
    .sort()
}

/**
 * The dependency rules of layers.json. A module may import modules of lower layers; if `only` lists it, just those, plus the types of those
 * in `types`; always through their index.ts, unless `only` names a single file, or `byFile` the module. If `within` names a module's
 * folders, they are layers inside it; files at the top of the module are available to all of them. Contracts and fixtures (*.contract.ts,
 * *.fixture.ts) are for tests, and tests are not checked. An npm package may only be imported by the modules that `packages` names. Files
 * and modules do not import each other in a cycle, not even types. Modules in `pure` use no clock, randomness, timers or I/O. Every
 * violation is one line that names the place.
 */
import { type LayersConfig, layerOf } from './config.ts'
import { findCycles } from './cycles.ts'
import { duplicateExports } from './duplicate-exports.ts'
import type { Port } from './ports.ts'
import { longFiles, longFunctions, widePorts } from './sizes.ts'
import { folderOf, type Import, isForTests, type SourceFile } from './source-files.ts'

type FileImport = Extract<Import, { kind: 'file' }>

export function findViolations(config: LayersConfig, files: SourceFile[], ports: Port[]): string[] {
  return [
    ...unknownModules(config, files),
    ...unknownFolders(config, files),
    ...files.flatMap((file) =>
      file.imports.flatMap((what) => {
        const why = importViolation(config, file, what)
        return why ? [`src/${file.path}:${what.line} ${why}`] : []
      }),
    ),
    ...moduleCycles(files),
    ...fileCycles(files),
    ...impurities(config, files),
    ...duplicateExports(files),
    ...longFiles(files),
    ...longFunctions(config, files),
    ...widePorts(config, ports),
  ]
}

function unknownModules(config: LayersConfig, files: SourceFile[]): string[] {
  const unknown = new Set(files.map(({ module }) => module).filter((module) => layerOf(config, module) === undefined))
  return [...unknown].map((module) => `src/${module} is in no layer: add it to layers.json`)
}

function unknownFolders({ within = {} }: LayersConfig, files: SourceFile[]): string[] {
  const unknown = files.flatMap(({ path, module }) => {
    const folder = folderOf(path)
    return folder && within[module] && !within[module].includes(folder) ? [`${module}/${folder}`] : []
  })
  return [...new Set(unknown)].map((folder) => `src/${folder} is not in the order of its module: add it to layers.json`)
}

function importViolation(config: LayersConfig, file: SourceFile, what: Import): string | undefined {
  switch (what.kind) {
    case 'outside':
      return `imports ${what.specifier}, which is outside of src`
    case 'builtin':
      return builtinViolation(config, file, what.name)
    case 'package':
      return packageViolation(config, file, what.name)
    case 'file': {
      if (isForTests(what.path) && !isForTests(file.path)) return `imports ${what.path}: it is for tests only`
      if (what.module === file.module) return upwardInModule(config, file, what.path)
      const why = notAllowed(config, file.module, what)
      if (why) return `imports ${what.path}: ${why}`
      if (what.path === `${what.module}/index.ts` || isForTests(what.path)) return undefined
      if (config.only?.[file.module]?.includes(what.path)) return undefined
      if (config.byFile?.[file.module]?.includes(what.module)) return undefined
      return `imports ${what.path}, an internal file: import ${what.module}/index.ts`
    }
  }
}

function upwardInModule({ within = {} }: LayersConfig, file: SourceFile, to: string): string | undefined {
  const folders = within[file.module] ?? []
  const [from, into] = [folderOf(file.path) ?? '', folderOf(to) ?? '']
  const [fromLayer, intoLayer] = [folders.indexOf(from), folders.indexOf(into)]
  if (fromLayer < 0 || intoLayer <= fromLayer) return undefined // unknownFolders reports one that is missing
  return `imports ${to}: upward, ${into} comes after ${from} in ${file.module}`
}

function builtinViolation({ pure }: LayersConfig, file: SourceFile, name: string): string | undefined {
  if (!pure?.modules.includes(file.module) || isForTests(file.path) || pure.builtins.includes(name)) return undefined
  return `imports ${name}: ${file.module} is pure, and may use only ${pure.builtins.join(', ')}`
}

function packageViolation(config: LayersConfig, file: SourceFile, name: string): string | undefined {
  if (name === 'vitest' && isForTests(file.path)) return undefined
  const modules = config.packages?.[name] ?? []
  if (modules.includes(file.module)) return undefined
  const allowed = modules.length > 0 ? `only ${modules.join(', ')} may` : 'layers.json allows it to no module'
  return `imports the package ${name}, which ${file.module} may not: ${allowed}`
}

function notAllowed(config: LayersConfig, from: string, { module: to, path, isType }: FileImport): string | undefined {
  const fromLayer = layerOf(config, from)
  const toLayer = layerOf(config, to)
  if (fromLayer === undefined || toLayer === undefined) return undefined // unknownModules reports it
  if (toLayer > fromLayer) return `upward, ${to} is in a layer above ${from}`
  if (toLayer === fromLayer) return `sideways, ${from} and ${to} are in one layer`
  const only = config.only?.[from]
  if (!only || only.includes(to) || only.includes(path)) return undefined
  if (!config.types?.[from]?.includes(to)) return `${from} may import only ${only.join(', ')}`
  return isType ? undefined : `${from} may import only types of ${to}`
}

function moduleCycles(files: SourceFile[]): string[] {
  const edges = files.flatMap(({ module: from, imports }) =>
    imports.flatMap((what) => (what.kind === 'file' && what.module !== from ? [{ from, to: what.module }] : [])),
  )
  return findCycles(edges).map(({ members }) => `modules that import each other in a cycle: ${members.join(', ')}`)
}

function fileCycles(files: SourceFile[]): string[] {
  const edges = files.flatMap(({ path: from, imports }) =>
    imports.flatMap((what) => (what.kind === 'file' ? [{ from, to: what.path }] : [])),
  )
  return findCycles(edges).map(({ members, shortest }) => {
    const others = members.length - new Set(shortest).size
    const more = others > 0 ? ` (${others} more ${others === 1 ? 'file is' : 'files are'} connected to them)` : ''
    return `files that import each other in a cycle: ${shortest.map((path) => `src/${path}`).join(' -> ')}${more}`
  })
}

function impurities({ pure }: LayersConfig, files: SourceFile[]): string[] {
  return files
    .filter(({ module, path }) => pure?.modules.includes(module) && !isForTests(path))
    .flatMap(({ path, module, impurities }) =>
      impurities.map(({ what, line }) => `src/${path}:${line} uses ${what}: ${module} is pure`),
    )
}

/** layers.json: the modules, what they may import, and limits on size. */

export interface LayersConfig {
  /** From the bottom up. */
  layers: { name: string; modules: string[] }[]
  /** Modules, or single files of modules ("server/client.ts"), which are then entry points of their own. */
  only?: Record<string, string[]>
  /** In addition: modules of which only types may be imported. */
  types?: Record<string, string[]>
  /** Modules from which another imports single files, so that it loads no others. */
  byFile?: Record<string, string[]>
  packages?: Record<string, string[]>
  /** The folders of a module, from the bottom up: each may import those before it. */
  within?: Record<string, string[]>
  /** Modules without clock, randomness, timers or I/O; of Node's modules only `builtins`. */
  pure?: { modules: string[]; builtins: string[] }
  /** Folders beside src, and what they may import: modules, types of modules, packages. */
  otherFolders?: Record<string, { modules: string[]; types: string[]; packages: string[] }>
  /** Ports that may have more methods, with the reason. */
  widePorts?: Record<string, string>
  /** Functions ("file function") that may be longer for now, with their lines: they may not grow. */
  longFunctions?: Record<string, number>
}

/** The layer of a module, counted from the bottom; undefined if no layer has it. */
export function layerOf(config: LayersConfig, module: string): number | undefined {
  const layer = config.layers.findIndex(({ modules }) => modules.includes(module))
  return layer < 0 ? undefined : layer
}

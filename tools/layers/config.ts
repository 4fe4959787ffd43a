/** layers.json: which modules there are, what they may import, and how large things may become. */

export interface LayersConfig {
  /** From the bottom up. */
  layers: { name: string; modules: string[] }[]
  /** Modules, or single files of modules ("server/client.ts"), which then are entry points of their own. */
  only?: Record<string, string[]>
  /** Beside those: modules of which only types may be imported. */
  types?: Record<string, string[]>
  /** Modules of which another imports the files that it uses, so that it loads no others. */
  byFile?: Record<string, string[]>
  packages?: Record<string, string[]>
  /** The folders of a module, from the bottom up: each may import from those named before it. */
  within?: Record<string, string[]>
  /** Functions of their arguments: no clock, chance, timers or I/O; of Node only the modules in `builtins`. */
  pure?: { modules: string[]; builtins: string[] }
  /** Folders beside src, and what they may import: modules, types of modules, packages. */
  otherFolders?: Record<string, { modules: string[]; types: string[]; packages: string[] }>
  /** Ports that may have more methods than others, each with the reason. */
  widePorts?: Record<string, string>
  /** Functions ("file function") that may be longer than others for now, with their lines: they may not grow. */
  longFunctions?: Record<string, number>
}

/** The layer of a module, counted from the bottom; undefined if no layer has it. */
export function layerOf(config: LayersConfig, module: string): number | undefined {
  const layer = config.layers.findIndex(({ modules }) => modules.includes(module))
  return layer < 0 ? undefined : layer
}

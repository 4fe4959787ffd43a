/** Limits on size: lines per file, lines per function, methods per port. */
import type { LayersConfig } from './config.ts'
import type { Port } from './ports.ts'
import { isForTests, type SourceFile } from './source-files.ts'

export const MAX_LINES = 400
const MOST_LINES_OF_FUNCTION = 150
const MOST_METHODS = 25

export function longFiles(files: SourceFile[]): string[] {
  return files
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `src/${path} has ${lines} lines, and ${MAX_LINES} are the most: split it`)
}

/** Functions in layers.json may keep their length. */
export function longFunctions({ longFunctions: listed = {} }: LayersConfig, files: SourceFile[]): string[] {
  const long = files
    .filter(({ path }) => !isForTests(path))
    .flatMap(({ path, functions }) => functions.map((one) => ({ path, key: `${path} ${one.name}`, ...one })))
    .filter(({ lines }) => lines > MOST_LINES_OF_FUNCTION)
  const needless = Object.keys(listed).filter((key) => !long.some((one) => one.key === key))
  return [
    ...long.flatMap(({ path, key, name, line, lines }) => {
      const most = listed[key] ?? MOST_LINES_OF_FUNCTION
      return lines > most ? [`src/${path}:${line} ${name} has ${lines} lines, and ${most} are the most: split it`] : []
    }),
    ...needless.map((key) => `layers.json lists the long function ${key}, which is not long: remove it`),
  ]
}

/** A reason in layers.json excuses a port while it is needed. */
export function widePorts({ widePorts: excused = {} }: LayersConfig, ports: Port[]): string[] {
  const isWide = ({ methods }: Port): boolean => methods > MOST_METHODS
  const needless = Object.keys(excused).filter((name) => !ports.some((port) => port.name === name && isWide(port)))
  return [
    ...ports
      .filter((port) => isWide(port) && !excused[port.name])
      .map(
        ({ path, line, name, methods }) =>
          `src/${path}:${line} ${name} has ${methods} methods, and ${MOST_METHODS} are the most: split it by role`,
      ),
    ...needless.map((name) => `layers.json excuses the port ${name}, which is not wide: remove it`),
  ]
}

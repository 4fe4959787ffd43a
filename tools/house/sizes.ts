/** What has grown too large to be known by heart: long files, and ports that ask too much of a driver. */
import type { Brick } from './bricks.ts'
import type { Plan } from './plan.ts'
import type { Port } from './ports.ts'

export const MOST_LINES = 400
const MOST_METHODS = 25

export function tooLong(bricks: Brick[]): string[] {
  return bricks
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ path, lines }) => `src/${path} has ${lines} lines, and ${MOST_LINES} are the most: split it`)
}

/** A reason in the plan excuses a port, for as long as it is needed. */
export function tooWide({ wide = {} }: Plan, ports: Port[]): string[] {
  const isWide = ({ methods }: Port): boolean => methods > MOST_METHODS
  const needless = Object.keys(wide).filter((name) => !ports.some((port) => port.name === name && isWide(port)))
  return [
    ...ports
      .filter((port) => isWide(port) && !wide[port.name])
      .map(
        ({ path, line, name, methods }) =>
          `src/${path}:${line} ${name} has ${methods} methods, and ${MOST_METHODS} are the most: split it by who asks`,
      ),
    ...needless.map((name) => `house.json excuses the port ${name}, which is not wide: take it out of "wide"`),
  ]
}

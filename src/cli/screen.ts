/** The whole of a terminal, on a sheet of its own: what was there before is there again afterwards. */
import type { Screen } from './io.ts'

const OTHER_SHEET = '\u001b[?1049h\u001b[?25l'
const OWN_SHEET = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

export function screenAt(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Screen {
  const stops: (() => void)[] = []
  output.write(OTHER_SHEET)
  input.setRawMode(true)
  input.resume()
  return {
    size: () => ({ columns: output.columns, rows: output.rows }),
    draw(lines) {
      const shown = lines.map((line, i) => (i === 0 ? `\u001b[1m${line}\u001b[0m` : line))
      output.write(`${HOME}${shown.map((line) => line + CLEAR_LINE).join('\r\n')}${CLEAR_BELOW}`)
    },
    onResize(heard) {
      output.on('resize', heard)
      stops.push(() => output.off('resize', heard))
    },
    onKey(heard) {
      const take = (bytes: Buffer) => heard(bytes.toString())
      input.on('data', take)
      stops.push(() => input.off('data', take))
    },
    close() {
      for (const stop of stops) stop()
      input.setRawMode(false)
      input.pause()
      output.write(OWN_SHEET)
    },
  }
}

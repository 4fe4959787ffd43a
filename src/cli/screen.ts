/** Draws on the alternate screen of the terminal, and restores the previous content at the end. */
import type { Screen } from './io.ts'

const ENTER_ALTERNATE_SCREEN = '\u001b[?1049h\u001b[?25l'
const LEAVE_ALTERNATE_SCREEN = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

export function openScreen(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Screen {
  const cleanups: (() => void)[] = []
  output.write(ENTER_ALTERNATE_SCREEN)
  input.setRawMode(true)
  input.resume()
  return {
    size: () => ({ columns: output.columns, rows: output.rows }),
    draw(lines) {
      const shown = lines.map((line, i) => (i === 0 ? `\u001b[1m${line}\u001b[0m` : line))
      output.write(`${HOME}${shown.map((line) => line + CLEAR_LINE).join('\r\n')}${CLEAR_BELOW}`)
    },
    onResize(listener) {
      output.on('resize', listener)
      cleanups.push(() => output.off('resize', listener))
    },
    onKey(listener) {
      const onData = (bytes: Buffer) => listener(bytes.toString())
      input.on('data', onData)
      cleanups.push(() => input.off('data', onData))
    },
    close() {
      for (const stop of cleanups) stop()
      input.setRawMode(false)
      input.pause()
      output.write(LEAVE_ALTERNATE_SCREEN)
    },
  }
}

/** Runs the program in tests and captures its output and exit code. */
import type { Terminal } from './io.ts'
import { runProgram } from './program.ts'

export interface RunResult {
  code: number
  out: string[]
  notes: string
}

export async function runCommandLine(
  words: string[],
  io: Pick<Terminal, 'environment'> & Partial<Terminal>,
): Promise<RunResult> {
  const out: string[] = []
  const notes: string[] = []
  const code = await runProgram(words, {
    out: (line) => out.push(line),
    outWhenReady: async (line) => void out.push(line),
    note: (line) => notes.push(line),
    stdin: async function* () {},
    columns: undefined,
    drawsProgress: false,
    now: Date.now,
    interrupted: new AbortController().signal,
    ...io,
  })
  return { code, out, notes: notes.join('\n') }
}

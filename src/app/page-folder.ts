/**
 * Where the page's files lie. The package has them built. A checkout has only their sources, and makes them of these when
 * somebody first asks for the page, in a process of its own, which takes a few seconds and the memory of a compiler.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { HintedError } from '../model/index.ts'
import { PACKAGE_FOLDER } from './version.ts'

const MAKER = fileURLToPath(new URL('tools/page.ts', PACKAGE_FOLDER))
const LONGEST_MS = 180_000

/** A function that answers with the same folder to all who ask; after a failure the next who asks has it tried again. */
export function createPageFolder(): () => Promise<string> {
  let folder: Promise<string> | undefined
  return () => {
    folder ??= find().catch((error: unknown) => {
      folder = undefined
      throw error
    })
    return folder
  }
}

async function find(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('../web', import.meta.url))
  if (!existsSync(MAKER)) throw new HintedError('the web page and its sources are missing', 'install Freshet again')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [MAKER], { timeout: LONGEST_MS })
    return stdout.trim().split('\n').at(-1) ?? ''
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim().split('\n')[0] ?? String(cause)
    throw new HintedError(
      `the page could not be built: ${said}`,
      'run npm install with devDependencies, then try again',
      {
        cause,
      },
    )
  }
}

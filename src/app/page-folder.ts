/**
 * Finds the folder with the files of the web page. The package contains the built page. A checkout has only the sources and builds the page
 * on the first request, in a separate process, because that takes a few seconds and the memory of a compiler.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { HintedError } from '../model/index.ts'
import { PACKAGE_FOLDER } from './version.ts'

const PAGE_BUILDER = fileURLToPath(new URL('tools/page.ts', PACKAGE_FOLDER))
const MAX_BUILD_MS = 180_000

/** All callers share one build. After a failure, the next call builds again. */
export function createPageFolder(): () => Promise<string> {
  let folder: Promise<string> | undefined
  return () => {
    folder ??= findOrBuild().catch((error: unknown) => {
      folder = undefined
      throw error
    })
    return folder
  }
}

async function findOrBuild(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('../web', import.meta.url))
  if (!existsSync(PAGE_BUILDER))
    throw new HintedError('the web page and its sources are missing', 'install Freshet again')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PAGE_BUILDER], { timeout: MAX_BUILD_MS })
    return stdout.trim().split('\n').at(-1) ?? ''
  } catch (cause) {
    const reason = (cause as { stderr?: string }).stderr?.trim().split('\n')[0] ?? String(cause)
    throw new HintedError(
      `the page could not be built: ${reason}`,
      'run npm install with devDependencies, then try again',
      {
        cause,
      },
    )
  }
}

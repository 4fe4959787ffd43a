/**
 * Chromium for the tests of the page: CHROMIUM_PATH, the installed one, or the one from the npm package. If none starts, the suites are
 * skipped with the reason.
 */
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import chromiumInPackage from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

export type Opened = { browser: Browser } | { missing: string }

/** The tests may run as root and in a container without a GPU; background requests of the browser are turned off. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function openBrowser(): Promise<Opened> {
  const reasons: string[] = []
  for (const find of [named, installed, packaged]) {
    try {
      const executablePath = await find()
      if (executablePath) return { browser: await chromium.launch({ executablePath, args: ARGS, timeout: 30_000 }) }
    } catch (error) {
      reasons.push(String(error).split('\n')[0] ?? '')
    }
  }
  return { missing: reasons.join('; ') || 'there is no chromium on this machine' }
}

async function named(): Promise<string | undefined> {
  return process.env.CHROMIUM_PATH || undefined
}

async function installed(): Promise<string | undefined> {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  for (const path of folders.map((folder) => join(folder, 'chromium'))) {
    const canRun = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (canRun) return path
  }
  return undefined
}

function packaged(): Promise<string> {
  return chromiumInPackage.executablePath()
}

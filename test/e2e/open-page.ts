/**
 * Opens a page in a real browser and collects `complaints`: console errors, content security policy violations, and accessibility
 * violations found by axe-core. Waiting happens outside the page, because its policy refuses evaluated functions.
 */
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'

export interface PageOptions {
  width?: number
  height?: number
  isDark?: boolean
  /** For axe-core, which the page's policy would block. */
  isUnguarded?: boolean
  hasTouch?: boolean
  /** Also lets the service worker cache what was loaded, for tests with an unreachable server. */
  keepsNews?: boolean
}

export interface OpenedPage {
  page: Page
  complaints: string[]
  close(): Promise<void>
}

/** Missing pictures of publishers, and service workers that a test turned off, are not complaints. */
const HARMLESS = /Failed to load resource|Service Worker registration blocked/

export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenedPage> {
  const {
    width = 1280,
    height = 860,
    isDark = false,
    isUnguarded = false,
    hasTouch = false,
    keepsNews = false,
  } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    bypassCSP: isUnguarded,
    hasTouch,
    locale: 'en-GB',
    serviceWorkers: keepsNews ? 'allow' : 'block',
  })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning'
    if (isBad && !HARMLESS.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  await page.locator('main').waitFor()
  return { page, complaints, close: () => context.close() }
}

interface Violation {
  id: string
  impact: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** Violations found by axe-core, one line each; empty if WCAG 2.2 AA and best practices are met. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.split('\n').at(1)?.trim()}`,
    ),
  )
}

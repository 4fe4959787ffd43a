/**
 * In front of what a process does: what Node has compiled is kept some seconds after the start, and not only at its end, so that one that
 * is killed leaves it to the next.
 */
import { flushCompileCache } from 'node:module'

setTimeout(flushCompileCache, 5000).unref()

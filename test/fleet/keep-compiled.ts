/**
 * Preloaded into test processes: flushes the compile cache of Node some seconds after the start instead of at exit, so that a killed
 * process leaves it to the next one.
 */
import { flushCompileCache } from 'node:module'

setTimeout(flushCompileCache, 5000).unref()

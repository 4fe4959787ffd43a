/**
 * All property tests use one fixed seed, so that a failure is due to the change and not to chance. `TEST_SEED=random npm test` draws a new
 * seed; a number repeats a run.
 */
import fc from 'fast-check'

const { TEST_SEED = '1' } = process.env

if (TEST_SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TEST_SEED) })

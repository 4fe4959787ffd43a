/**
 * Properties are drawn from the same seed everywhere, so that a change is judged by itself and not by the luck of its run. To hunt for
 * more, `TEST_SEED=random npm test`, or a number to see again what such a run found.
 */
import fc from 'fast-check'

const { TEST_SEED = '1' } = process.env

if (TEST_SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TEST_SEED) })

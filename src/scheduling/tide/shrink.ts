/**
 * How far a feed's own counts override the usual profile. Counts c_i of n kinds around a usual profile p (of mean 1) have
 * the posterior mean
 *
 *   (n c_i + kappa p_i) / (sum c + kappa)          with the prior Dirichlet(kappa p / n)
 *
 * if all kinds were observed equally long. Otherwise, with s_i the share of the usual that fell into the observed time (of
 * mean 1): p_i (n c_i + kappa p_i) / (s_i sum c + kappa p_i). What was never observed stays usual.
 *
 * A small kappa trusts the feed, a large one the usual. The right one is unknown, so several are tried and averaged by their
 * evidence, the probability that they gave to what was seen: a feed that follows the clock becomes sharp, an irregular one
 * stays smooth.
 */
export function shrinkToUsual(
  counts: Float32Array,
  usual: Float64Array,
  kappas: readonly number[],
  into: Float64Array,
  seen?: Float64Array,
): Float64Array {
  const n = counts.length
  const observedTotal = seen ? usualWhileObserved(usual, seen) : usual
  let total = 0
  for (let i = 0; i < n; i++) total += counts[i]!
  const evidence = kappas.map((kappa) => logEvidence(counts, total, observedTotal, kappa))
  const best = Math.max(...evidence)
  let sum = 0
  for (const logWeight of evidence) sum += Math.exp(logWeight - best)
  into.fill(0)
  for (let k = 0; k < kappas.length; k++) {
    const share = Math.exp(evidence[k]! - best) / sum
    if (share < NEGLIGIBLE) continue
    const kappa = kappas[k]!
    for (let i = 0; i < n; i++) {
      const u = usual[i]!
      into[i]! += (share * u * (n * counts[i]! + kappa * u)) / (total * observedTotal[i]! + kappa * u)
    }
  }
  return into
}

const BUFFERS = { 24: new Float64Array(24), 7: new Float64Array(7) }

/** Share of the usual that falls into the observed time; of mean 1. */
function usualWhileObserved(usual: Float64Array, seen: Float64Array): Float64Array {
  const watched = usual.length === 24 ? BUFFERS[24] : BUFFERS[7]
  let sum = 0
  for (let i = 0; i < usual.length; i++) {
    watched[i] = Math.max(MIN_OBSERVED, seen[i]!) * usual[i]!
    sum += watched[i]!
  }
  for (let i = 0; i < usual.length; i++) watched[i]! *= usual.length / sum
  return watched
}

/** Of the mean: an entry may have come in an hour that counts as not observed. */
const MIN_OBSERVED = 0.01

const NEGLIGIBLE = 1e-3
/** For counts that have decayed below this, computing the evidence is not worth it. */
const MIN_EVIDENCE = 0.01

function logEvidence(counts: Float32Array, total: number, usual: Float64Array, kappa: number): number {
  let log = logGamma(kappa) - logGamma(total + kappa)
  for (let i = 0; i < counts.length; i++) {
    const prior = (kappa * usual[i]!) / counts.length
    if (counts[i]! > MIN_EVIDENCE) log += logGamma(counts[i]! + prior) - logGamma(prior)
  }
  return log
}

/** Stirling's series, after three recurrence steps where it would be too inaccurate. */
export function logGamma(x: number): number {
  const steps = x < 3 ? Math.log(x * (x + 1) * (x + 2)) : 0
  const y = x < 3 ? x + 3 : x
  return (y - 0.5) * Math.log(y) - y + HALF_LOG_TWO_PI + 1 / (12 * y) - 1 / (360 * y * y * y) - steps
}

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)

/**
 * How far a feed may leave what is usual. Counts c_i of n kinds around a usual profile p (of mean 1) have the posterior mean
 *
 *   (n c_i + kappa p_i) / (sum c + kappa)          with the prior Dirichlet(kappa p / n)
 *
 * A small kappa believes the feed, a large one believes the usual. Nobody knows the right one, so several are tried and
 * averaged by their evidence, the probability that they gave to what was seen: a feed that keeps to the clock becomes sharp,
 * a vague one stays smooth.
 */
export function shrunk(
  counts: Float32Array,
  usual: Float64Array,
  kappas: readonly number[],
  into: Float64Array,
): Float64Array {
  const n = counts.length
  let total = 0
  for (let i = 0; i < n; i++) total += counts[i]!
  const evidence = kappas.map((kappa) => logEvidence(counts, total, usual, kappa))
  const best = Math.max(...evidence)
  let sum = 0
  for (const one of evidence) sum += Math.exp(one - best)
  into.fill(0)
  for (let k = 0; k < kappas.length; k++) {
    const share = Math.exp(evidence[k]! - best) / sum
    if (share < NEGLIGIBLE) continue
    const kappa = kappas[k]!
    for (let i = 0; i < n; i++) into[i]! += (share * (n * counts[i]! + kappa * usual[i]!)) / (total + kappa)
  }
  return into
}

const NEGLIGIBLE = 1e-3
/** Of counts that have faded to less than this, the evidence is not worth its logarithms. */
const FADED = 0.01

function logEvidence(counts: Float32Array, total: number, usual: Float64Array, kappa: number): number {
  let log = logGamma(kappa) - logGamma(total + kappa)
  for (let i = 0; i < counts.length; i++) {
    const prior = (kappa * usual[i]!) / counts.length
    if (counts[i]! > FADED) log += logGamma(counts[i]! + prior) - logGamma(prior)
  }
  return log
}

/** Stirling's series, after three steps up where it would be too coarse. */
export function logGamma(x: number): number {
  const steps = x < 3 ? Math.log(x * (x + 1) * (x + 2)) : 0
  const y = x < 3 ? x + 3 : x
  return (y - 0.5) * Math.log(y) - y + HALF_LOG_TWO_PI + 1 / (12 * y) - 1 / (360 * y * y * y) - steps
}

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)

/**
 * How far a feed may leave what is usual. Counts c_i of n kinds around a usual profile p (of mean 1) have the posterior mean
 *
 *   (n c_i + kappa p_i) / (sum c + kappa)          with the prior Dirichlet(kappa p / n)
 *
 * A small kappa believes the feed, a large one believes the usual. Nobody knows the right one, so several are tried and
 * averaged by their evidence, the probability that they gave to what was seen: a feed that keeps to the clock becomes sharp,
 * a vague one stays smooth.
 */
export function shrunk(counts: Float32Array, usual: Float64Array, kappas: readonly number[]): Float64Array {
  const n = counts.length
  const profile = new Float64Array(n)
  let total = 0
  for (let i = 0; i < n; i++) total += counts[i]!
  const evidence = kappas.map((kappa) => logEvidence(counts, total, usual, kappa))
  const best = Math.max(...evidence)
  const odds = evidence.map((one) => Math.exp(one - best))
  const sum = odds.reduce((a, b) => a + b)
  kappas.forEach((kappa, k) => {
    const share = odds[k]! / sum
    if (share < NEGLIGIBLE) return
    for (let i = 0; i < n; i++) profile[i]! += (share * (n * counts[i]! + kappa * usual[i]!)) / (total + kappa)
  })
  return profile
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
  if (x < 3) return logGamma(x + 3) - Math.log(x * (x + 1) * (x + 2))
  return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + 1 / (12 * x) - 1 / (360 * x * x * x)
}

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)

/** What a transaction throws that finds itself in the way of another: the session begins all of it anew. */
export function onceMore(why: string): Error {
  return Object.assign(new Error(why), { code: '40001' })
}

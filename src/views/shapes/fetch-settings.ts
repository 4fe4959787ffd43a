/** The JSON shape of the fetch settings of a feed: without secrets. */
import type { FetchSettingsShape } from '../../api/index.ts'
import { type FetchSettings, withoutSecrets } from '../../model/index.ts'
import { omitUndefined } from './values.ts'

export function fetchSettingsShape({
  headers,
  cookies,
  proxyLogin,
  bridge,
  extraction,
  byAdmin: _byAdmin,
  ...plain
}: FetchSettings): FetchSettingsShape {
  return {
    ...plain,
    ...omitUndefined({
      headers: headers && Object.keys(headers),
      hasCookies: cookies === undefined ? undefined : (true as const),
      hasProxyLogin: proxyLogin === undefined ? undefined : (true as const),
      bridge: bridge && withoutSecrets(bridge),
    }),
    ...extraction,
  }
}

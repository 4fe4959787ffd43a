/** Generates docs/configuration.md from the table of settings. */
import { environmentOf, flagOf, formatSetting, OPTION_NAMES, OPTIONS, type Option, SECRETS } from './config.ts'
import { FLEET_ROLES, rolesUsing } from './role-options.ts'

export function configurationPage(): string {
  const rows = OPTION_NAMES.map((name) => {
    const { kind, sentence, default: value, details = '' } = OPTIONS[name] as Option<unknown>
    const formatted = formatSetting(name, value)
    return `| \`--${flagOf(name)}\` | \`${environmentOf(name)}\` | ${formatted ? `\`${formatted}\`` : 'none'} | ${[sentence, details].filter(Boolean).join(' ')} Format: ${kind.expected}. |`
  })
  const roleRows = OPTION_NAMES.filter((name) => rolesUsing(name).length > 0).map((name) => {
    const roles = rolesUsing(name)
    return `| \`--${flagOf(name)}\` | ${FLEET_ROLES.map((role) => (roles.includes(role) ? 'yes' : '')).join(' | ')} |`
  })
  return `# Configuration

Set any setting as a flag, as an environment variable, or in a file \`freshet.toml\` in the current folder (or the file of
\`--config\` or \`FRESHET_CONFIG\`). Flags override the environment, and the environment overrides the file. Unknown settings and invalid
values are rejected with what is expected. \`freshet config\` shows the settings in force and their sources.

In \`freshet.toml\`, use the name of the flag without the leading dashes:

\`\`\`toml
store = "news.db"
host-gap = "5s"
contact = "https://example.org/about-our-crawl"
\`\`\`

Set passwords separately from addresses with \`--store-password\` and \`--queue-password\`, without escaping. ${SECRETS.map((name) => `\`${environmentOf(name)}\``).join(', ')}
can be read from a file: append \`_FILE\` to the variable and set it to the path, as in \`FRESHET_STORE_PASSWORD_FILE=/run/secrets/store\`.

\`freshet.toml\` can also list sources, which \`freshet run\` adds when it starts. Their name, category, folder and title prefix are updated on each start;
sources that are no longer listed stay until somebody removes them. All users can read listed sources, and only admins can change them:

\`\`\`toml
[[sources]]
url = "https://example.org"   # a site; with feed = true, the address of a feed
name = "example"              # a unique name for commands
category = "technology"       # overrides the publisher's category
folder = "News"
title-prefix = "Example: "    # removed from the start of entry titles
\`\`\`

For the feed of a source, once it is found, \`user-agent\`, \`proxy\` (without a password), \`bridge\`, \`accept-invalid-certificate\`, \`ignore-validators\`, \`content\` and \`remove\` are
[settings for fetching](feed-settings.md), too.

Rules in \`freshet.toml\` are [rules](rules.md) of \`--user\`, or else of the first account. \`freshet run\` reads them when it starts; they come before other rules
and can only be changed in the file:

\`\`\`toml
[[rules]]
name = "ads"
query = "sponsored OR title:/^ad:/i"   # empty: every entry
folder = "News"                        # only entries of this folder
mute = true                            # and read, star, keep-only, stop, fetch-article
label = "Ads"                          # or a list
send = "Wallabag"                      # a destination, or a list
\`\`\`

| flag | environment | default | description |
|---|---|---|---|
${rows.join('\n')}

## Settings by role

In a fleet each role reads only these settings and ignores the others. \`freshet run\` reads all of them except \`--health\`.

| flag | ${FLEET_ROLES.join(' | ')} |
|---|${FLEET_ROLES.map(() => ':-:|').join('')}
${roleRows.join('\n')}

This page is written by \`npm run docs\` from \`src/app/config.ts\`.
`
}

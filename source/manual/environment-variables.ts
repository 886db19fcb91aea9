/** Every environment variable that ledge reads, for the settings page and the man page. */
export const environmentVariables: readonly {readonly names: readonly string[]; readonly meaning: string}[] =
	[
		{names: ['CLOUDFLARE_API_TOKEN'], meaning: 'API token; takes precedence over key and email'},
		{
			names: ['CLOUDFLARE_API_KEY', 'CLOUDFLARE_EMAIL'],
			meaning: 'global API key and its email address',
		},
		{
			names: ['CLOUDFLARE_ACCOUNT_ID'],
			meaning:
				'account; if unset: the context, `account_id` in the configuration file, the account chosen in wrangler, or the only one',
		},
		{names: ['CLOUDFLARE_ZONE_ID'], meaning: 'zone, by its id'},
		{names: ['CLOUDFLARE_ENV'], meaning: 'default for `--env`'},
		{
			names: ['CLOUDFLARE_API_BASE_URL'],
			meaning: 'another service address, ending in `/client/v4`; must be HTTPS, except on loopback',
		},
		{
			names: ['CLOUDFLARE_AUTH_PROFILE'],
			meaning: 'profile of the wrangler login',
		},
		{
			names: ['CF_API_TOKEN', 'CF_API_KEY', 'CF_EMAIL', 'CF_ACCOUNT_ID', 'CF_API_BASE_URL'],
			meaning: 'older names, read when the variable above is not set',
		},
		{
			names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
			meaning: 'proxy for calls to the service, and hosts that bypass it',
		},
		{names: ['NODE_EXTRA_CA_CERTS'], meaning: 'file with additional certificate authorities'},
		{
			names: ['LEDGE_TARGET'],
			meaning: '`local` or `remote`: where key and bulk commands act (default: `remote`)',
		},
		{names: ['LEDGE_CONTEXT'], meaning: 'context to use, like `--context`'},
		{
			names: ['LEDGE_CREDENTIAL_COMMAND'],
			meaning: 'command that prints the credential: words or a JSON array',
		},
		{names: ['WRANGLER_CACHE_DIR'], meaning: 'where wrangler stores the account chosen for a login'},
		{names: ['LEDGE_READ_ONLY'], meaning: '`1` refuses all writes'},
		{names: ['LEDGE_STATE_DIR'], meaning: 'state directory; default `$XDG_STATE_HOME/ledge`'},
		{
			names: ['LEDGE_FROM_*', 'LEDGE_TO_*'],
			meaning:
				'prefix of the `CLOUDFLARE_*` variables for one side of `kv copy` and `kv diff`, to use two accounts: `LEDGE_TO_CLOUDFLARE_API_TOKEN`',
		},
		{
			names: ['LEDGE_KEY', 'LEDGE_CHANGE', 'LEDGE_NAMESPACE_ID'],
			meaning:
				'set for the program of `kv watch --exec`: the key, what happened to it (`added`, `changed` or `deleted`), and the id of its namespace',
		},
		{names: ['LEDGE_SIMULATE_FAULTS'], meaning: 'faults of the simulated service, separated by `;`'},
		{
			names: ['LEDGE_SIMULATE_MIGRATION_SECONDS'],
			meaning: 'how long a migration takes on the simulated service, in seconds (default: 3)',
		},
		{
			names: ['LEDGE_DEBUG'],
			meaning:
				'file to append requests, actions and failures to, one JSON object per line; excludes values and credentials',
		},
		{
			names: ['LEDGE_TIME_SCALE'],
			meaning: 'between 0 and 1: shortens timeouts and waits, for testing scripts',
		},
		{names: ['LEDGE_THEME'], meaning: '`light`, `dark` or `none`: colours of the screens'},
		{
			names: ['COLORTERM'],
			meaning:
				'`truecolor` or `24bit` for a terminal with 24-bit colour; otherwise a theme has the nearest of 256 colours',
		},
		{
			names: ['COLORFGBG'],
			meaning: 'colours of the terminal, used when `LEDGE_THEME` is not set; default dark',
		},
		{names: ['NO_COLOR', 'FORCE_COLOR'], meaning: 'turn colour off, or on'},
		{
			names: ['FORCE_HYPERLINK'],
			meaning:
				'`1`: the terminal has links (OSC 8), `0`: it has none; otherwise, ledge decides by the variables of the terminal',
		},
		{
			names: ['LEDGE_MOUSE'],
			meaning: '`0`: leave the mouse to the terminal; otherwise, a click selects a row and the wheel scrolls',
		},
		{
			names: ['LEDGE_SCREEN_READER'],
			meaning:
				'`1`: show screens as text for a screen reader, printing only what changes, like `--screen-reader`',
		},
		{names: ['INK_SCREEN_READER'], meaning: '`true`: the same'},
		{names: ['VISUAL', 'EDITOR'], meaning: 'editor for `kv key edit`, and for `E` in the screens'},
		{names: ['PAGER'], meaning: 'pager for `P` in the screens; default `less`, or else `more`'},
		{
			names: ['XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'HOME'],
			meaning: 'locations of the state directory, the cache and the wrangler login',
		},
	];

/** Every environment variable that ledge reads, for the settings page and the man page. */
export const environmentVariables: readonly {readonly names: readonly string[]; readonly meaning: string}[] =
	[
		{names: ['CLOUDFLARE_API_TOKEN'], meaning: 'API token; wins over key and email'},
		{
			names: ['CLOUDFLARE_API_KEY', 'CLOUDFLARE_EMAIL'],
			meaning: 'global API key, and the email address it belongs to',
		},
		{
			names: ['CLOUDFLARE_ACCOUNT_ID'],
			meaning:
				'account; without it the context, `account_id` of the configuration file, the account chosen in wrangler, the only one',
		},
		{names: ['CLOUDFLARE_ZONE_ID'], meaning: 'zone, by its id'},
		{names: ['CLOUDFLARE_ENV'], meaning: 'default of `--env`'},
		{
			names: ['CLOUDFLARE_API_BASE_URL'],
			meaning: 'another address of the service, ending in `/client/v4`; HTTPS, except on loopback',
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
			meaning: 'proxy for calls to the service, and the hosts that are called without it',
		},
		{names: ['NODE_EXTRA_CA_CERTS'], meaning: 'file with certificate authorities of your own'},
		{
			names: ['LEDGE_TARGET'],
			meaning: '`local` or `remote`: where key and bulk commands act by default (`remote`)',
		},
		{names: ['LEDGE_CONTEXT'], meaning: 'context to act in, as `--context`'},
		{
			names: ['LEDGE_CREDENTIAL_COMMAND'],
			meaning: 'program that prints the credential: words, or a JSON list',
		},
		{names: ['WRANGLER_CACHE_DIR'], meaning: 'where wrangler keeps the account that was chosen for a login'},
		{names: ['LEDGE_READ_ONLY'], meaning: '`1` refuses every write'},
		{names: ['LEDGE_STATE_DIR'], meaning: 'state directory; default `$XDG_STATE_HOME/ledge`'},
		{
			names: ['LEDGE_FROM_*', 'LEDGE_TO_*'],
			meaning:
				'prefix of the `CLOUDFLARE_*` variables of one side of `kv copy` and `kv diff`, for two accounts: `LEDGE_TO_CLOUDFLARE_API_TOKEN`',
		},
		{names: ['LEDGE_SIMULATE_FAULTS'], meaning: 'faults of the simulated service, separated by `;`'},
		{
			names: ['LEDGE_SIMULATE_MIGRATION_SECONDS'],
			meaning: 'how long a migration takes on the simulated service (3)',
		},
		{
			names: ['LEDGE_DEBUG'],
			meaning:
				'file to which requests, actions and failures are appended, one JSON object a line; without values and credentials',
		},
		{
			names: ['LEDGE_TIME_SCALE'],
			meaning: 'between 0 and 1: shortens time-outs and waits, for tests of scripts',
		},
		{names: ['LEDGE_THEME'], meaning: '`light`, `dark` or `none`: colours of the screens'},
		{
			names: ['COLORFGBG'],
			meaning: 'colours of the terminal, used when `LEDGE_THEME` is not set; default dark',
		},
		{names: ['NO_COLOR', 'FORCE_COLOR'], meaning: 'colour off, or on'},
		{
			names: ['LEDGE_MOUSE'],
			meaning:
				'`0`: the screens leave the mouse to the terminal; else a click selects a row, and the wheel moves',
		},
		{
			names: ['LEDGE_SCREEN_READER'],
			meaning: '`1`: screens in words for a screen reader, only what changes, as `--screen-reader`',
		},
		{names: ['INK_SCREEN_READER'], meaning: '`true`: the same'},
		{names: ['VISUAL', 'EDITOR'], meaning: 'editor of `kv key edit`, and of `E` in the screens'},
		{names: ['PAGER'], meaning: 'pager of `P` in the screens; default `less`, else `more`'},
		{
			names: ['XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'HOME'],
			meaning: 'where the state directory, the cache and the login of wrangler are',
		},
	];

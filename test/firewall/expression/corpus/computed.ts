import type {Group} from './entry.ts';

const names = 'http.request.headers.names[*]';

/** Comparisons of two values of the request, missing values, lists. */
export const computed: readonly Group[] = [
	{
		fact: 'equality and order compare two values of the request',
		source: 'documented',
		page: 'changelog of 2026-10-01',
		entries: [
			['valid', 'http.request.uri.path ne raw.http.request.uri.path'],
			['valid', 'len(http.request.uri.path) gt len(http.request.uri.query)'],
			['valid', 'http.request.uri.args["first"][0] eq http.request.uri.args["second"][0]'],
			['valid', 'coalesce(http.request.uri.args["first"][0], "") eq http.request.uri.args["second"][0]'],
			['valid', 'http.request.uri.path eq coalesce(http.request.uri.args["expected_path"][0], "/")'],
			['valid', 'http.host == lower(http.host)'],
			['valid', 'http.host != lower(http.host)'],
			['valid', 'http.request.timestamp.sec <= len(http.host)'],
			['valid', 'http.request.timestamp.sec < len(http.host)'],
			['valid', 'http.request.timestamp.sec >= len(http.host)'],
			['valid', 'ip.src eq cidr(ip.src, 24, 64)'],
			['valid', 'http.host eq cf.ray_id'],
			[
				'valid',
				'hash_in_range(0, 100, cf.random_seed) < coalesce(lookup_json_integer(cf.hostname.metadata, "p"), 0)',
			],
		],
	},
	{
		fact: 'all other operators need a literal on the right',
		source: 'documented',
		page: 'changelog of 2026-10-01',
		entries: [
			['error', 'http.host contains «http.referer»'],
			['error', 'http.host matches «http.referer»'],
			['error', 'http.host strict wildcard «http.referer»'],
			['error', 'http.host in {«http.referer»}'],
			['error', 'cf.edge.server_port & «cf.edge.server_port»'],
			['valid', 'has_value(http.request.headers.names, http.host)'],
		],
	},
	{
		fact: 'both sides have the same type, which is neither Boolean nor a list',
		source: 'inferred',
		page: 'operators',
		entries: [
			['error', 'http.host eq «len(http.host)»'],
			['error', 'http.host eq «ip.src»'],
			['error', 'http.host eq «ssl»'],
			['error', 'cf.edge.server_port eq «http.host»'],
			['error', 'ssl «eq» ssl'],
			['error', '«"a"» eq http.host', 'http.host eq "a"'],
			[
				'error',
				'http.host eq «http.request.headers.names»',
				'has_value(http.request.headers.names, http.host)',
			],
			['warning', `any(«${names} eq http.host»)`],
		],
	},
	{
		fact: 'several values are compared only within any and all, and only as a first argument',
		source: 'documented',
		page: 'values',
		entries: [
			['valid', `any(${names} eq "a")`],
			['valid', `all(${names} contains "a")`],
			['valid', `any(lower(${names})[*] eq "a")`],
			['valid', `any(starts_with(${names}, "a"))`],
			['valid', `any(starts_with(lower(${names})[*], "a"))`],
			['valid', 'any(http.request.headers[*][0] eq "a")'],
			['valid', 'any(len(http.request.headers[*])[*] gt 1)'],
			['error', `http.request.headers.names«[*]» eq "a"`, `any(${names} eq "a")`],
			['error', `lower(http.request.headers.names[*]) «eq» "a"`],
			['error', 'http.request.headers["x"] «eq» "a"', 'any(http.request.headers["x"][*] eq "a")'],
			['error', 'any(http.request.headers["x"] «eq» "a")', 'any(http.request.headers["x"][*] eq "a")'],
			['error', 'any(«ssl»)'],
			['error', 'any(«http.host eq "a"»)'],
			['error', 'starts_with(http.host, «http.request.headers.names[*]»)'],
		],
	},
	{
		fact: 'within any, the first of several comparisons needs parentheses',
		source: "the engine's parser",
		page: 'function calls',
		entries: [
			['valid', `any((${names} eq "a") or (${names} eq "b"))`],
			['error', `any(«${names} eq "a" or ${names} eq "b"»)`, `any((${names} eq "a" or ${names} eq "b"))`],
			['valid', `any(not ${names} eq "a" and ${names} eq "b")`],
		],
	},
	{
		fact: 'two lists can be compared in one expression',
		source: 'documented',
		page: 'threat intelligence',
		plan: 'enterprise',
		entries: [
			['valid', `any(http.request.headers.names[*] eq "a") and any(http.request.uri.args.names[*] eq "b")`],
		],
	},
	{
		fact: 'has_value finds single values in lists, has_key finds keys in maps',
		source: 'documented',
		page: 'functions',
		entries: [
			['valid', 'has_value(http.request.headers["x"], "v")'],
			['valid', 'has_value(http.request.headers.names, "n")'],
			['error', 'has_value(«http.request.headers», "v")'],
			['error', 'has_value(http.request.headers.names, «5»)'],
			['valid', 'has_key(http.request.headers, "x")'],
			['error', 'has_key(«http.request.headers.names», "x")'],
			['error', 'has_key(http.request.headers, «5»)'],
		],
	},
	{
		fact: 'len tests whether a value exists',
		source: 'documented',
		page: 'values',
		entries: [
			['valid', 'len(http.request.uri.args["k"]) >= 0'],
			['valid', 'not len(http.request.uri.args["k"]) >= 0'],
			['valid', 'not http.request.headers["x"][0] eq "s"'],
			['valid', 'coalesce(http.request.headers["x"][0], "") ne "s"'],
		],
	},
	{
		fact: 'ne does not match a missing value',
		source: 'documented',
		page: 'values',
		entries: [
			['warning', 'http.request.headers["x"][0] «ne» "s"', 'not http.request.headers["x"][0] eq "s"'],
			['warning', 'http.request.uri.args["x"][0] «!=» "s"', 'not http.request.uri.args["x"][0] eq "s"'],
			['warning', 'http.request.cookies["x"][0] «ne» "s"', 'not http.request.cookies["x"][0] eq "s"'],
			[
				'warning',
				'any(http.request.headers["x"][*] «ne» "s")',
				'not any(http.request.headers["x"][*] eq "s")',
			],
		],
	},
	{
		fact: 'all is true without any value',
		source: "the engine's parser",
		page: 'tests of missing values',
		letsThrough: true,
		entries: [
			[
				'warning',
				'«all(http.request.headers["x"][*] eq "v")»',
				'(has_key(http.request.headers, "x") and all(http.request.headers["x"][*] eq "v"))',
			],
			['valid', 'any(http.request.headers["x"][*] eq "v")'],
		],
	},
];

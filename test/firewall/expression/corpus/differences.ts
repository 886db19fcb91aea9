import type {Group} from './entry.ts';

const full = `http.host eq "${'a'.repeat(4081)}"`;

/**
 * Expressions on which ledge and the open engine of the service differ, or differed, with the verdict that is
 * right. Differences in the places and values of functions are in the other files, too.
 */
export const differences: readonly Group[] = [
	{
		// ledge is right: the engine orders addresses, the service does not.
		fact: 'addresses have no order',
		source: 'documented',
		page: 'operators',
		entries: [
			['error', 'ip.src «gt» 192.0.2.1'],
			['error', 'ip.src «<=» 2001:db8::1'],
		],
	},
	{
		// ledge is right: the engine does not know the phases.
		fact: 'custom rules lack functions for values, for responses and for packets',
		source: 'documented',
		page: 'functions',
		entries: [
			['error', '«regex_replace»(http.request.uri.path, "^/a", "/b") eq "/b"'],
			['error', '«wildcard_replace»(http.host, "*.a", "b") eq "b"'],
			['error', 'any(«split»(http.request.uri.path, "/", 4)[*] eq "a")'],
			['error', '«sha256»(http.cookie) eq 0a:0c'],
			['error', '«to_string»(ip.src) eq "192.0.2.1"'],
			['error', '«encode_base64»(http.cookie, "u") eq "a"'],
			['error', '«bit_slice»(raw.http.request.uri, 0, 8) eq 1'],
			['error', '«uuidv4»(cf.random_seed) ne "a"'],
			['error', '«remove_query_args»(http.request.uri.query, "utm") eq ""'],
		],
	},
	{
		// ledge is right: the engine does not know the phases.
		fact: 'the response is unknown while a request is filtered',
		source: 'documented',
		page: 'fields',
		entries: [
			['error', '«http.response.code» in {500..599}'],
			['error', 'has_key(«http.response.headers», "a")'],
		],
	},
	{
		// ledge is right: the engine takes any integer.
		fact: 'cidr and cidr6 take a number of bits that an address has',
		source: 'documented',
		page: 'functions',
		entries: [
			['error', 'cidr(ip.src, «40», 64) eq 192.0.2.0', 'cidr(ip.src, 32, 64) eq 192.0.2.0'],
			['error', 'cidr6(ip.src, «0») eq 2001:db8::', 'cidr6(ip.src, 1) eq 2001:db8::'],
		],
	},
	{
		// ledge is right: the engine takes any text.
		fact: 'url_decode has few options',
		source: 'documented',
		page: 'functions',
		entries: [['error', 'url_decode(http.request.uri.path, «"z"») eq "/a"']],
	},
	{
		// ledge is right: the engine has no limit. That of the service may count characters or bytes.
		fact: 'an expression has at most 4,096 bytes',
		source: 'documented',
		page: 'expressions',
		entries: [
			['valid', full],
			['error', `${full}« »`],
			['warning', `http.host eq "${'ü'.repeat(2041)}«ü"»`],
		],
	},
	{
		// ledge is right: the engine that was compared is older.
		fact: 'a field can be compared with another',
		source: 'documented',
		page: 'changelog of 2026-10-01',
		entries: [
			['valid', 'http.request.uri.path eq raw.http.request.uri.path'],
			['valid', 'ip.src ne cidr(ip.src, 24, 64)'],
			['valid', 'cf.edge.server_port ge http.request.timestamp.msec'],
		],
	},
	{
		// ledge was wrong: these were errors.
		fact: 'a pattern that looks like a wildcard may be a regular expression',
		source: "the engine's parser",
		page: 'regular expressions',
		entries: [
			[
				'warning',
				'http.request.uri.path matches «"/foo/*/api.example.com"»',
				'http.request.uri.path wildcard "/foo/*/api.example.com"',
			],
			['warning', 'http.host matches «"example.com/*"»', 'http.host wildcard "example.com/*"'],
			['valid', 'http.request.uri.path matches "/foo/*/api"'],
			['error', 'http.host matches "«*».example.com"', 'http.host wildcard "*.example.com"'],
		],
	},
	{
		// ledge was wrong: these were errors. Zero-width characters are no white space.
		fact: 'any white space is trimmed, but does not separate',
		source: "the engine's parser",
		page: 'white space',
		entries: [
			['valid', '\tssl'],
			['valid', 'ssl \t\n'],
			['valid', '\u00a0ssl\u00a0'],
			['valid', '\u000bssl\u000b'],
			['valid', '\f\u0085\u2028ssl\u3000'],
			['error', '\t«»'],
			['error', 'ssl«\u000b»and ssl', 'ssl and ssl'],
			['error', 'ssl and«\u00a0»ssl\t', 'ssl and ssl\t'],
			['error', '«\u200b»ssl', ' ssl'],
			['error', 'ssl«\ufeff»', 'ssl '],
		],
	},
	{
		// ledge was wrong: these were errors.
		fact: 'a raw string can follow its operator without a space',
		source: "the engine's parser",
		page: 'literals',
		entries: [
			['warning', 'http.host «matchesr"x"»', 'http.host matches r"x"'],
			['warning', 'http.host «matchesr#"x"y"#»', 'http.host matches r#"x"y"#'],
			['warning', 'http.host «eqr"x"» and ssl', 'http.host eq r"x" and ssl'],
			['warning', 'http.host «ner##"x"##»', 'http.host ne r##"x"##'],
			['warning', 'http.host «containsr"x"»', 'http.host contains r"x"'],
			['warning', 'http.host «wildcardr#"x"#»', 'http.host wildcard r#"x"#'],
			['warning', 'http.host «strict wildcardr"x"»', 'http.host strict wildcard r"x"'],
			['valid', 'http.host ==r"x"'],
			['error', 'http.host «eqr» "x"'],
		],
	},
	{
		// ledge was wrong: it called this never true. The documentation has examples of other versions only.
		fact: 'a request may have the version HTTP/0.9',
		source: 'inferred',
		page: 'fields: http.request.version',
		entries: [['valid', 'http.request.version eq "HTTP/0.9"']],
	},
	{
		// Open: the documentation forbids literals, and its examples have them.
		fact: 'url_decode may take a literal',
		source: 'documented',
		page: 'functions',
		entries: [['warning', 'url_decode(«"a%20b"») eq "a b"']],
	},
	{
		// The engine accepts these. Nobody writes them, and each can be written with a space.
		fact: 'not, bytes and bounds of ranges need a space after them',
		source: 'inferred',
		page: 'white space',
		entries: [
			['error', '«notnot» «ssl»'],
			['error', 'http.host in {61:62«"»«/ok"»}'],
			['error', 'cf.edge.server_port in {-20..«0x1f-10»}'],
		],
	},
];

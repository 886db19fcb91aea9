import {expect, test} from 'vitest';
import {findLints} from './find-lints.ts';

test.each([
	['http.referer matches "."', 'L112', 'http.referer ne ""'],
	['http.referer matches "^.+$"', 'L112', 'http.referer ne ""'],
	['http.referer matches ".*."', 'L112', 'http.referer ne ""'],
	['not http.referer matches "(.+)"', 'L112', 'not http.referer ne ""'],
	[String.raw`http.host matches "^api\.example\.com$"`, 'L113', 'http.host eq "api.example.com"'],
	['http.request.uri.path matches "^/api/v1$"', 'L113', 'http.request.uri.path eq "/api/v1"'],
	['http.request.method matches "^(GET|POST)$"', 'L113', 'http.request.method in {"GET" "POST"}'],
	['lower(http.host) matches "^(?:a|b-c)$"', 'L113', 'lower(http.host) in {"a" "b-c"}'],
	[
		String.raw`http.request.uri.path matches "\\.(js|css)$"`,
		'L114',
		String.raw`http.request.uri.path matches "\.(js|css)$"`,
	],
	[String.raw`http.cookie matches r#"id=\\d+"#`, 'L114', String.raw`http.cookie matches r#"id=\d+"#`],
	['http.request.uri matches "/find?name=\\"a"', 'L115', 'http.request.uri matches "/find\\?name=\\"a"'],
	[
		String.raw`http.host matches "^(www|api).example\.com$"`,
		'L116',
		String.raw`http.host matches "^(www|api)\.example\.com$"`,
	],
	[
		String.raw`http.host matches "^[a-z].example\.com$"`,
		'L116',
		String.raw`http.host matches "^[a-z]\.example\.com$"`,
	],
])('%s', (text, code, becomes) => {
	const found = findLints(text).find(lint => lint.code === code);
	expect(found?.becomes).toBe(becomes);
	expect(findLints(becomes).map(lint => lint.code)).not.toContain(code);
});

test.each([
	'^',
	'$',
	'|',
	'^.*$',
	'.*',
	'(.*)',
	'^(.*)$',
	'(?i).*',
	'.*?',
	'a|',
])('every string matches "%s"', pattern => {
	const warnings = findLints(`http.host matches "${pattern}"`).map(({sentence}) => sentence);
	if (pattern === 'a|') expect(warnings).toEqual([]);
	else expect(warnings).toEqual([expect.stringContaining('always true')]);
});

test.each([
	['http.host', '^$'],
	['http.host', '^.$'],
	['http.host', '..'],
	['http.host', '^a'],
	['http.host', 'a$'],
	['http.host', '^(a|b.)$'],
	['http.host', '(?i)^abc$'],
	['http.host', String.raw`^a\*b$`],
	['http.host', String.raw`^\d+$`],
	['http.host', '^.{3}$'],
	['http.host', '^...-a$'],
	['http.host', String.raw`^[\\.a]b$`],
	['http.host', '(a|b).*c'],
	['http.request.body.raw', '^.*$'],
	['http.request.body.raw', '.+'],
	['http.request.headers["x"][0]', '.+'],
	['http.request.uri', 'colou?r/'],
	['http.request.uri', String.raw`/a\?b=1`],
	['http.request.uri', '(a?b=)?'],
	['http.cookie', String.raw`(\.\.\\|\.\./)`],
	['http.cookie', String.raw`C:\\windows\\system32`],
	['http.cookie', String.raw`[\\.]`],
	['http.cookie', String.raw`a\\.*`],
])('no lint in %s matches "%s"', (field, pattern) => {
	const codes = findLints(`${field} matches r"${pattern}"`).map(({code}) => code);
	expect(codes.filter(code => code?.startsWith('L11') === true && code !== 'L115')).toEqual([]);
});

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type Completion,
	describeCompletion,
	type ExpressionContext,
	findField,
	listCompletions,
} from '../../../../source/firewall/expression/expressions.ts';
import {fields} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {defaultPhase} from '../../../../source/firewall/expression/vocabulary/phases.ts';
import {getVerdict} from '../../../../source/firewall/expression/vocabulary/verdict.ts';
import {measureCpuTime} from '../../../support/effort.ts';
import {getRunCount} from '../../../support/full.ts';
import {anyText} from '../../../text/any-text.ts';

/** Lists the completions of a text; `|` marks its cursor. */
function completeAtCursor(
	marked: string,
	context?: ExpressionContext,
): {text: string; offset: number} & ReturnType<typeof listCompletions> {
	const offset = marked.indexOf('|');
	const text = marked.slice(0, offset) + marked.slice(offset + 1);
	return {text, offset, ...listCompletions(text, offset, context)};
}

const listOfferedTexts = (marked: string, context?: ExpressionContext): string[] =>
	completeAtCursor(marked, context).items.map(({text}) => text);

/** Inserts the first completion into a text; `|` marks the cursor before and after. */
function insertFirst(marked: string): string | undefined {
	const {text, span, items} = completeAtCursor(marked);
	const [item] = items;
	if (!item) return undefined;
	const cursor = item.cursor ?? item.text.length;
	return (
		text.slice(0, span.start) +
		item.text.slice(0, cursor) +
		'|' +
		item.text.slice(cursor) +
		text.slice(span.end)
	);
}

const listKinds = (items: readonly Completion[]): string[] => [...new Set(items.map(({kind}) => kind))];

describe('at the start of a value', () => {
	test.each([
		'|',
		'ssl and |',
		'not |',
		'(|',
		'ssl or (|',
		'http.host eq "a" && !|',
	])('in %s the most used fields come first, followed by functions', marked => {
		const {items} = completeAtCursor(marked);
		expect(items[0]).toMatchObject({text: 'http.host', kind: 'field', type: 'String'});
		expect(listKinds(items)).toEqual(expect.arrayContaining(['field', 'logical', 'function']));
		expect(items).toHaveLength(50);
	});

	test.each([
		['host|', 'http.host'],
		['ip.src.c|', 'ip.src.country'],
		['cou|', 'ip.src.country'],
		['HTTP.HOST|', 'http.host'],
		['http.ua|', 'http.user_agent'],
		['lowe|', 'lower()'],
		['no|', 'not'],
		['ss|', 'ssl'],
		['tr|', 'true'],
	])('%s finds %s first', (marked, text) => {
		expect(listOfferedTexts(marked)[0]).toBe(text);
	});

	test('a name that is already complete comes first', () => {
		expect(listOfferedTexts('http.request.uri|')[0]).toBe('http.request.uri');
		expect(listOfferedTexts('ip.src|')[0]).toBe('ip.src');
	});

	test('fields with several values are completed to one of them', () => {
		expect(insertFirst('http.request.headers|')).toBe('http.request.headers["|"]');
		expect(insertFirst('headers.nam|')).toBe('http.request.headers.names[0]|');
		expect(insertFirst('any(headers.nam|)')).toBe('any(http.request.headers.names[*]|)');
		expect(insertFirst('len(headers.nam|)')).toBe('len(http.request.headers.names|)');
		expect(insertFirst('http.request.headers|["a"]')).toBe('http.request.headers|["a"]');
	});

	test('a function is completed with the cursor between its parentheses, unless it already has some', () => {
		expect(insertFirst('starts|')).toBe('starts_with(|)');
		expect(insertFirst('starts|(http.host, "a")')).toBe('starts_with|(http.host, "a")');
	});

	test('the whole word under the cursor is replaced', () => {
		expect(insertFirst('ssl and ho|st eq "a"')).toBe('ssl and http.host| eq "a"');
	});

	test('"true" is offered only as a whole expression', () => {
		expect(listOfferedTexts('|')).toContain('true');
		expect(listOfferedTexts('ssl and |')).not.toContain('true');
	});

	test('deprecated fields, and fields and functions for other kinds of rules, are not offered', () => {
		const names = new Set<string>();
		for (const {name} of fields) for (const text of listOfferedTexts(`${name}|`)) names.add(text);
		for (const {name, scope, replacement} of fields)
			expect(names.has(name) && (scope !== undefined || replacement !== undefined)).toBe(false);
		expect(listOfferedTexts('regex_repl|')).toEqual([]);
		expect(listOfferedTexts('uuid|')).toEqual([]);
	});

	test('items that the plan lacks come last, and name the plan that has them', () => {
		const {items} = completeAtCursor('cf.waf.sc|', {plan: 'business'});
		expect(items.map(({text}) => text)).toEqual([
			...['cf.waf.score.class', 'cf.waf.score', 'cf.waf.score.sqli', 'cf.waf.score.xss', 'cf.waf.score.rce'],
		]);
		expect(items.map(({about}) => /needs the (.*) plan$/.exec(about)?.[1])).toEqual([
			...[undefined, 'Enterprise', 'Enterprise', 'Enterprise', 'Enterprise'],
		]);
		expect(completeAtCursor('bot_management.ja4|', {plan: 'free'}).items[0]?.about).toMatch(
			/needs an add-on for the Enterprise plan$/,
		);
		expect(completeAtCursor('is_timed|', {plan: 'free'}).items[0]?.about).toMatch(/needs the Pro plan$/);
		expect(completeAtCursor('cf.waf.score|').items[0]?.about).not.toMatch(/needs/);
	});
});

describe('after a value', () => {
	test.each([
		[
			'http.host |',
			['eq', 'ne', 'contains', 'wildcard', 'in', 'matches', 'strict wildcard', 'lt', 'le', 'gt', 'ge'],
		],
		['ip.src |', ['eq', 'ne', 'in']],
		['ip.src.asnum |', ['eq', 'ne', 'in', 'lt', 'le', 'gt', 'ge', 'bitwise_and']],
		['ssl |', ['and', 'or', 'xor']],
		['(ssl |', [')', 'and', 'or', 'xor']],
		['len(http.host) |', ['eq', 'ne', 'in', 'lt', 'le', 'gt', 'ge', 'bitwise_and']],
		['cidr(ip.src, 24, 64) |', ['eq', 'ne', 'in']],
		['starts_with(http.host, "a") |', ['and', 'or', 'xor']],
		['http.request.headers["a"][0] c|', ['contains']],
		['http.host strict |', ['wildcard']],
		['nonsense |', []],
		['ip.src eq 1.2.3.4 |', ['and', 'or', 'xor']],
		['http.host eq "a" |', ['and', 'or', 'xor']],
		['http.host strict wildcard "*" |', ['and', 'or', 'xor']],
		['ip.src in {10.0.0.0/8 ::1} |', ['and', 'or', 'xor']],
		['ip.src in $blocked |', ['and', 'or', 'xor']],
		['(ssl and http.host eq "a" |', [')', 'and', 'or', 'xor']],
		['(ssl) |', ['and', 'or', 'xor']],
	])('in %s the completions are %j', (marked, texts) => {
		expect(listOfferedTexts(marked)).toEqual(texts);
	});

	test('regular expressions come last if the plan lacks them', () => {
		const last = completeAtCursor('http.host |', {plan: 'pro'}).items.at(-1);
		expect(last).toMatchObject({text: 'matches', about: expect.stringMatching(/needs the Business plan$/)});
		expect(completeAtCursor('http.host |', {plan: 'business'}).items.at(-1)?.text).toBe('ge');
	});

	test('words are separated by a space, parentheses are not', () => {
		expect(listOfferedTexts('(http.host eq "a"|')).toEqual([')', ' and', ' or', ' xor']);
		expect(insertFirst('lower(http.host)|')).toBe('lower(http.host) eq|');
	});

	test('a list is completed with the index of one or of all values', () => {
		expect(insertFirst('http.request.headers["a"]|')).toBe('http.request.headers["a"][0]|');
		expect(insertFirst('any(http.request.headers["a"]|')).toBe('any(http.request.headers["a"][*]|');
		expect(listOfferedTexts('http.request.headers["a"] |')).toEqual([]);
	});
});

describe('after an operator', () => {
	test('the values of the field are offered, then any text', () => {
		expect(listOfferedTexts('http.request.method eq |').slice(0, 2)).toEqual(['"GET"', '"POST"']);
		expect(insertFirst('http.host eq |')).toBe('http.host eq "|"');
		expect(insertFirst('cf.tls_version ne 1.3|')).toBe('cf.tls_version ne "TLSv1.3"|');
		expect(listOfferedTexts('ip.src.continent == |')).toContain('"EU"');
		expect(listOfferedTexts('cf.edge.server_port ge |')).toContain('443');
		expect(listOfferedTexts('ip.src eq |')).toEqual(['cidr()', 'cidr6()', 'cf.edge.server_ip']);
		expect(listOfferedTexts('ip.src eq 192.0.2|')).toEqual([]);
	});

	test('values are also found by their meaning', () => {
		expect(insertFirst('ip.src.country eq "germ|')).toBe('ip.src.country eq "DE"|');
		expect(insertFirst('ip.src.continent eq eur|')).toBe('ip.src.continent eq "EU"|');
	});

	test('a partial text is completed with its closing quote', () => {
		expect(insertFirst('http.request.method eq "P|')).toBe('http.request.method eq "POST"|');
		expect(insertFirst('http.request.method eq "P|" and ssl')).toBe('http.request.method eq "POST"| and ssl');
		expect(insertFirst('http.request.method eq "|')).toBe('http.request.method eq "GET"|');
	});

	test.each([
		'http.host eq "and |',
		'http.host eq "ssl|"',
		'http.host matches r#"(http.|',
		'http.request.method contains "G|',
		'lower("|',
	])('inside the text of %s nothing is offered', marked => {
		expect(listOfferedTexts(marked)).toEqual([]);
	});

	test('braces are offered after "in", and inside them each value once', () => {
		expect(insertFirst('ip.src.country in |')).toBe('ip.src.country in {|}');
		expect(listOfferedTexts('http.request.method in {"GET" "POST" |}')).toEqual(
			expect.arrayContaining(['"HEAD"', '""']),
		);
		expect(listOfferedTexts('http.request.method in {"GET" "POST" |')).not.toContain('"POST"');
		expect(insertFirst('http.request.method in {"GET"|}')).toBe('http.request.method in {"GET" "POST"|}');
		expect(listOfferedTexts('ip.src in {1.2.3.4 |')).toEqual(['}']);
		expect(listOfferedTexts('ip.src in {1.2.3.4 |}')).toEqual([]);
	});

	test('for regular expressions, a raw text is offered first', () => {
		expect(insertFirst('http.host matches |')).toBe('http.host matches r"|"');
	});
});

describe('inside a call', () => {
	test('fields of the type that the parameter takes are offered', () => {
		for (const {text, kind} of completeAtCursor('cidr(|').items)
			if (kind === 'field') expect(findField(text)?.type?.kind).toBe('IP');
		expect(listOfferedTexts('cidr(|')[0]).toBe('ip.src');
		expect(listOfferedTexts('lower(|')[0]).toBe('http.host');
		expect(listOfferedTexts('lower(|')).not.toContain('ssl');
		expect(listOfferedTexts('any(|')[0]).toBe('http.request.headers[""]');
	});

	test('only literals are offered where the parameter requires one', () => {
		expect(listOfferedTexts('url_decode(http.host, |')).toEqual(['"r"', '"u"', '"ur"']);
		expect(insertFirst('url_decode(http.host, "u|')).toBe('url_decode(http.host, "u"|');
		expect(insertFirst('starts_with(http.host, |')).toBe('starts_with(http.host, "|"');
		expect(listOfferedTexts('cidr(ip.src, |')).toEqual([]);
	});

	test.each([
		['lower(http.host |', [')']],
		['cidr(ip.src |', [', ']],
		['cidr(ip.src, 24 |', [', ']],
		['cidr(ip.src, 24, 64 |', [')']],
		['substring(http.host, 1 |', [')', ', ']],
		['lower(http.request.uri.args["a"]|', ['[0]']],
		['join(http.request.uri.args["a"]|', ['[0]', ', ']],
		['any(lower(http.request.uri.args["a"]|', ['[*]', '[0]']],
		['any(http.request.headers["a"][*] contains "b"|)', []],
		['concat(http.host, "a" |', [')', ', ']],
		['lower(http.host, |', []],
		['any(http.request.headers["a"][*] contains "b" |', [')']],
		['any(lower(http.request.headers["a"][*])|', ['[*]', '[0]']],
		['any(lower(http.request.headers["a"][*])[*] contains "b") |', ['and', 'or', 'xor']],
	])('in %s the completions are %j', (marked, texts) => {
		expect(listOfferedTexts(marked)).toEqual(texts);
	});

	test('names of headers and positions are offered', () => {
		expect(insertFirst('http.request.headers["user|')).toBe('http.request.headers["user-agent"|');
		expect(insertFirst('http.request.headers["user|"][0] eq "a"')).toBe(
			'http.request.headers["user-agent"|][0] eq "a"',
		);
		expect(listOfferedTexts('http.request.headers.names[|')).toEqual(['0']);
		expect(listOfferedTexts('any(http.request.headers.names[|')).toEqual(['*', '0']);
		expect(listOfferedTexts('http.request.uri.args[|')).toEqual(['""']);
		expect(listOfferedTexts('http.request.uri.args["a" |')).toEqual([']']);
	});
});

const comparison = fc.constantFrom(
	...[
		'ssl',
		'not ssl',
		'http.host eq "a b"',
		'ip.src in {10.0.0.0/8 ::1}',
		'ip.src.asnum lt 9',
		'len(http.host) gt 5',
	],
	...[
		'any(http.request.headers["x"][*] contains r#"")"#)',
		'starts_with(http.host, "and (")',
		'(ssl or http.host eq "")',
	],
	...['http.user_agent strict wildcard "*\\"*"', 'ip.src.country in $cf.list', '(((ssl)))'],
);
const validPrefix = fc
	.array(fc.tuple(comparison, fc.constantFrom('and', 'or', 'xor', '&&', '||', '^^')), {maxLength: 6})
	.map(parts => parts.map(([one, logical]) => `${one} ${logical} `).join(''));

const plainField = fc.constantFrom(
	...fields.flatMap(field => {
		const {name, type, replacement} = field;
		const isPlain = type && !('of' in type) && !replacement;
		return isPlain && getVerdict(field, defaultPhase).kind === 'allowed' ? [{name, type}] : [];
	}),
);

describe('anywhere', () => {
	test('any text has at most 50 completions at any offset, and their span includes the cursor', () => {
		const words = fc
			.array(
				fc.constantFrom(
					...'ssl|http.host| |eq|in|{|}|(|)|[|]|"|r#"|\\|any|lower|and|not|,|*|$a|1|="|!'.split('|'),
				),
			)
			.map(parts => parts.join(''));
		fc.assert(
			fc.property(fc.oneof(anyText, words), fc.integer({min: -3, max: 60}), (text, offset) => {
				const {span, items} = listCompletions(text, offset, {plan: 'pro'});
				const cursor = Math.max(0, Math.min(text.length, offset));
				expect(0 <= span.start && span.start <= cursor && cursor <= span.end && span.end <= text.length).toBe(
					true,
				);
				expect(items.length).toBeLessThanOrEqual(50);
				for (const {text: written, cursor: cursorOffset = 0} of items) {
					expect(written).not.toBe('');
					expect(cursorOffset).toBeLessThanOrEqual(written.length);
				}
				expect(new Set(items.map(({text: written}) => written)).size).toBe(items.length);
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	test('an invalid offset counts as the start', () => {
		expect(listCompletions('ssl', Number.NaN).span).toEqual({start: 0, end: 0});
	});

	test('after any valid start, each field is found by a part of its name, and only that word is replaced', () => {
		fc.assert(
			fc.property(validPrefix, plainField, fc.nat(), (prefix, {name}, length) => {
				const word = name.slice(0, 1 + (length % name.length));
				const {span, items} = listCompletions(prefix + word, prefix.length + word.length);
				expect(span).toEqual({start: prefix.length, end: prefix.length + word.length});
				expect(items.every(({text}) => text.toLowerCase().includes(word))).toBe(true);
				const fullNameResult = listCompletions(prefix + name, prefix.length + name.length);
				expect(fullNameResult.items[0]?.text).toBe(name);
			}),
		);
	});

	test('after any valid start, a field is followed by operators that fit its type', () => {
		fc.assert(
			fc.property(validPrefix, plainField, (prefix, {name, type}) => {
				const text = `${prefix}${name} `;
				const {span, items} = listCompletions(text, text.length);
				expect(span).toEqual({start: text.length, end: text.length});
				expect(items[0]?.text).toBe(type.kind === 'Boolean' ? 'and' : 'eq');
			}),
		);
	});

	test('a comparison also offers fields of the type of its left side', () => {
		expect(listOfferedTexts('http.host eq http.re|')).toContain('http.referer');
		expect(listOfferedTexts('ip.src eq |')).toEqual(expect.arrayContaining(['cf.edge.server_ip']));
		expect(listOfferedTexts('http.host eq |')).toEqual(expect.arrayContaining(['lower()', 'http.referer']));
		expect(listOfferedTexts('http.host eq |')).not.toContain('ip.src');
		expect(listOfferedTexts('http.host contains |')).toEqual(['""']);
		expect(listOfferedTexts('cf.edge.server_port lt |')).toEqual(expect.arrayContaining(['len()']));
	});

	test('a completion is described on one line', () => {
		const describeFirst = (marked: string) => completeAtCursor(marked).items.map(describeCompletion)[0];
		expect(describeFirst('cf.waf.scor|')).toMatch(
			/^cf\.waf\.score: .+\. (?:Business|Enterprise).*\. Values: 1 to 100/,
		);
		expect(describeFirst('looku|')).toMatch(/^lookup_json_\w+: .+\. All plans/);
		expect(describeFirst('http.host e|')).toBe(completeAtCursor('http.host e|').items[0]?.about);
	});

	test('the time grows in proportion to the text before the cursor', () => {
		const measureTime = (parts: number): number => {
			const text = `${'(http.host eq "abc" and ip.src in {192.0.2.1 10.0.0.0/8}) or '.repeat(parts)}http.`;
			return measureCpuTime(() => listCompletions(text, text.length, {plan: 'free'}), 5);
		};
		measureTime(66);
		// If each part looked at all parts before it, 16 times as many would take 256 times as long.
		expect(measureTime(16 * 66)).toBeLessThan(64 * measureTime(66) + 100);
	});
});

test('lists of the account that fit the left side are offered after in, and else only the $', () => {
	const lists = [
		{name: 'office', kind: 'ip', description: 'Offices'},
		{name: 'crawlers', kind: 'asn'},
		{name: 'hosts', kind: 'hostname'},
	];
	const offer = (text: string, context = {}) =>
		listCompletions(text, text.length, context).items.map(item => item.text);
	expect(offer('ip.src in ', {lists})).toEqual(['{}', '$office']);
	expect(offer('ip.src.asnum in $', {lists})).toEqual(['$crawlers']);
	expect(offer('http.host in $h', {lists})).toEqual(['$hosts']);
	expect(offer('http.user_agent in $', {lists})).toEqual(['$']);
	expect(offer('ip.src in $')).toEqual(['$']);
});

test.each(['RU|', 'ssl and RU|', '(RU|'])('%s is probably a country', marked => {
	expect(listOfferedTexts(marked)[0]).toBe('ip.src.country eq "RU"');
	expect(listOfferedTexts(marked)).not.toContain('true');
});

test('a country code comes after the fields that start with it, and lower case is none', () => {
	expect(listOfferedTexts('SS|').slice(0, 2)).toEqual(['ssl', 'ip.src.country eq "SS"']);
	expect(listOfferedTexts('ru|').join()).not.toContain('ip.src.country eq');
	expect(listOfferedTexts('tru|')[0]).toBe('true');
});

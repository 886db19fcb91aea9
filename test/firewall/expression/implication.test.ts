import {describe, expect, test} from 'vitest';
import {canonicalize} from '../../../source/firewall/expression/canonical.ts';
import {matchesRequest} from '../../../source/firewall/expression/evaluate.ts';
import type {FieldValue} from '../../../source/firewall/expression/field-value.ts';
import type {Address} from '../../../source/firewall/expression/grammar/addresses.ts';
import type {Expression} from '../../../source/firewall/expression/grammar/tree.ts';
import {isImplied} from '../../../source/firewall/expression/implication.ts';
import type {SampleRequest} from '../../../source/firewall/expression/sample-requests.ts';
import {parseAllowingConstants} from '../../../source/firewall/expression/traffic-share.ts';
import {type Choose, createChooser} from './any-expression.ts';

function parse(expression: string): Expression {
	const tree = parseAllowingConstants(expression);
	if (!tree) throw new Error(`not an expression: ${expression}`);
	return tree;
}

const implies = (one: string, other: string): boolean => isImplied(parse(one), parse(other));

describe('it is proven that each request that matches', () => {
	test.each([
		['http.host eq "a"', 'true'],
		['false', 'ssl'],
		['http.host == "a" && ssl', 'ssl and (http.host eq "a")'],
		['http.host eq "a"', 'http.host in {"b" "a"}'],
		['http.host in {"a" "b"}', 'http.host eq "a" or http.host eq "b" or ssl'],
		['http.host in {"ab" "abc"}', 'starts_with(http.host, "ab")'],
		['http.host eq "shop.example.com"', 'http.host wildcard "*.EXAMPLE.com"'],
		['http.host eq "a"', 'not http.host in {"b" "c"}'],
		['http.host eq "a"', 'http.host ne "b"'],
		['not http.host in {"a" "b"}', 'not http.host eq "a"'],
		['not (ssl or http.host eq "a")', 'not ssl'],
		['starts_with(http.request.uri.path, "/admin/x")', 'starts_with(http.request.uri.path, "/admin")'],
		['ends_with(http.request.uri.path, ".php")', 'http.request.uri.path contains "php"'],
		['starts_with(http.request.uri.path, "/a")', 'not starts_with(http.request.uri.path, "/b")'],
		['http.user_agent matches "^curl" and ssl', 'http.user_agent matches "^curl"'],
		['ip.src in $office and ssl', 'ip.src in $office'],
		['ip.src eq 10.1.2.3', 'ip.src in {10.0.0.0/8}'],
		['ip.src in {10.0.0.0/8}', 'ip.src in {10.0.0.0/9 10.128.0.0/9}'],
		['ip.src in {10.0.0.0/8}', 'not ip.src in {11.0.0.0/8 2001:db8::/32}'],
		['cf.bot_management.score lt 10', 'cf.bot_management.score le 30'],
		['cf.bot_management.score in {1..5 9}', 'cf.bot_management.score < 10'],
		['http.request.headers["x"][0] eq "a"', 'http.request.headers["x"][0] in {"a" "b"}'],
		['any(http.request.headers["x"][*] eq "a") and ssl', 'any(http.request.headers["x"][*] eq "a")'],
	])('%s matches %s', (one, other) => {
		expect(implies(one, other)).toBe(true);
	});
});

describe('it is not claimed that each request that matches', () => {
	test.each([
		['ssl', 'not ssl'],
		['ssl', 'ssl and http.host eq "a"'],
		['true', 'ssl'],
		['http.host in {"a" "c"}', 'http.host in {"a" "b"}'],
		['http.host contains "ab"', 'starts_with(http.host, "ab")'],
		['http.host contains "a"', 'http.host eq "a"'],
		['http.host contains "a"', 'not http.host eq "b"  and ssl'],
		['not http.host eq "a"', 'http.host eq "b"'],
		['not http.host eq "a"', 'not http.host in {"a" "b"}'],
		// A missing header is not equal, and not unequal either.
		['not http.request.headers["x"][0] eq "a"', 'http.request.headers["x"][0] ne "a"'],
		['not cf.bot_management.score lt 5', 'cf.bot_management.score ge 5'],
		['http.host eq "a"', 'http.request.uri.path in {"a"}'],
		['lower(http.host) eq "a"', 'http.host eq "a"'],
		['http.host eq "a"', 'http.host strict wildcard "A*"'],
		['http.request.headers["x"][0] eq "a"', 'http.request.headers["y"][0] eq "a"'],
		['any(http.request.headers["x"][*] eq "a")', 'any(http.request.headers["x"][*] ne "b")'],
		['ip.src in {10.0.0.0/8}', 'ip.src in {10.0.0.0/9 10.255.255.255}'],
		['ip.src in {0.0.0.0/8}', 'ip.src in {::/16}'],
		['ip.src in $office', 'ip.src in $home'],
		['http.user_agent matches "^curl"', 'starts_with(http.user_agent, "curl")'],
		['http.host eq "\\xe9"', 'http.host in {"\\xc3\\xa9" "b"}'],
		['ssl xor http.host eq "a"', 'ssl or http.host eq "b"'],
	])('%s matches %s', (one, other) => {
		expect(implies(one, other)).toBe(false);
	});
});

const chooseOne = <Thing>(choose: Choose, things: readonly [Thing, ...Thing[]]): Thing =>
	things[choose(things.length)] ?? things[0];

const texts = ['', 'a', 'b', 'ab', 'ba', 'aba', 'B'] as const;
const numbers = [0, 1, 2, 3, 4] as const;
const addressTexts = ['192.0.2.0', '192.0.2.1', '192.0.2.2', '2001:db8::', '2001:db8::1'] as const;

const buildSet = (choose: Choose, items: readonly [string, ...string[]]): string =>
	`{${Array.from({length: 1 + choose(3)}, () => chooseOne(choose, items)).join(' ')}}`;

function buildTextCondition(choose: Choose): string {
	const value = chooseOne(choose, ['http.host', 'lower(http.host)', 'http.request.headers["x"][0]']);
	const quoted = `"${chooseOne(choose, texts)}"`;
	const set = buildSet(choose, ['""', ...texts.map(text => `"${text}"`)]);
	return chooseOne(choose, [
		`${value} eq ${quoted}`,
		`${value} ne ${quoted}`,
		`${value} in ${set}`,
		`${value} contains ${quoted}`,
		`${value} lt ${quoted}`,
		`${value} matches ${quoted}`,
		`${value} wildcard "${chooseOne(choose, texts)}*"`,
		`${value} strict wildcard "*${chooseOne(choose, texts)}"`,
		`starts_with(${value}, ${quoted})`,
		`ends_with(${value}, ${quoted})`,
		`any(http.request.headers["x"][*] in ${set})`,
	]);
}

function buildCondition(choose: Choose): string {
	switch (choose(4)) {
		case 0: {
			const operator = chooseOne(choose, ['eq', 'ne', 'lt', 'le', 'gt', 'ge']);
			return choose(3) === 0
				? `cf.bot_management.score in ${buildSet(choose, ['0', '1..2', '3', '2..4'])}`
				: `cf.bot_management.score ${operator} ${chooseOne(choose, numbers)}`;
		}
		case 1:
			return choose(2) === 0
				? `ip.src in ${buildSet(choose, ['192.0.2.0/31', '192.0.2.1..192.0.2.2', '2001:db8::/127', ...addressTexts])}`
				: `ip.src ${chooseOne(choose, ['eq', 'ne'])} ${chooseOne(choose, addressTexts)}`;
		default:
			return choose(8) === 0 ? 'ssl' : buildTextCondition(choose);
	}
}

function buildExpression(choose: Choose, depth: number): string {
	if (depth === 0 || choose(3) === 0) return buildCondition(choose);
	const parts = Array.from({length: 1 + choose(2)}, () => buildExpression(choose, depth - 1));
	const joined = parts.join(chooseOne(choose, [' and ', ' or ', ' or ', ' xor ']));
	return choose(3) === 0 ? `not (${joined})` : `(${joined})`;
}

function createRequest(choose: Choose): SampleRequest {
	const header = choose(3) === 0 ? [] : [['x', [chooseOne(choose, texts)]] as const];
	const last = BigInt(choose(4));
	const address: Address =
		choose(3) === 0
			? {version: 6, value: (0x2001_0db8n << 96n) + last}
			: {version: 4, value: 0xc000_0200n + last};
	const values: Readonly<Record<string, FieldValue>> = {
		ssl: choose(2) === 0,
		'http.host': chooseOne(choose, texts),
		'cf.bot_management.score': choose(7) === 0 ? undefined : chooseOne(choose, numbers),
		'ip.src': address,
		'http.request.headers': {byName: new Map(header)},
	};
	return {index: choose(2), version: address.version, field: name => values[name]};
}

// Both expressions are drawn from few values, so that many pairs imply each other.
test('no claim is refuted by the evaluation of random requests', () => {
	const choose = createChooser(28);
	const requests = Array.from({length: 200}, () => createRequest(choose));
	let claims = 0;
	for (let round = 0; round < 4_000; round++) {
		const one = buildExpression(choose, 2);
		const other = buildExpression(choose, 2);
		const [tree, otherTree] = [parse(one), parse(other)];
		if (!isImplied(tree, otherTree)) continue;
		if (canonicalize(one) !== canonicalize(other)) claims++;
		const refuting = requests.find(
			request => matchesRequest(tree, request) && !matchesRequest(otherTree, request),
		);
		expect(refuting, `${one} does not imply ${other}`).toBeUndefined();
	}
	expect(claims).toBeGreaterThan(50);
});

test('long expressions are compared within a bounded number of steps', () => {
	const buildLong = (prefix: string) =>
		Array.from({length: 70}, (_, index) => `(http.host eq "${prefix}${index}" and ssl)`).join(' or ');
	expect(implies(buildLong('a'), buildLong('b'))).toBe(false);
	expect(implies(buildLong('a'), buildLong('a'))).toBe(true);
});

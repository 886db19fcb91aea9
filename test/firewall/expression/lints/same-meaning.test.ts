import fc from 'fast-check';
import {expect, test} from 'vitest';
import {matchesRequest} from '../../../../source/firewall/expression/evaluate.ts';
import {analyse, parseIpAddress} from '../../../../source/firewall/expression/expressions.ts';
import type {FieldValue} from '../../../../source/firewall/expression/field-value.ts';
import type {SampleRequest} from '../../../../source/firewall/expression/sample-requests.ts';
import {getRunCount} from '../../../support/full.ts';
import {type Choose, createChooser} from '../any-expression.ts';
import {findLints} from './find-lints.ts';

/** Lints whose corrections must not change which requests match. */
const keepsMeaning = /^L(?:10[0-2]|11[23]|12\d)$/;

const texts = ['a', 'b', 'c.d', '/a', ''];
const addresses = ['9.9.9.9', '9.9.8.1', '8.8.8.8', '2606:4700::1'];
const networks = ['9.9.9.0/24', '9.9.0.0/16', '9.9.9.0..9.9.10.0', '2606:4700::/32', '9.9.9.9/32'];
const numbers = ['0', '3', '5', '0x5', '8', '0..4', '2..6', '5..9'];

const chooseOne = <Thing>(choose: Choose, things: readonly Thing[]): Thing =>
	things[choose(things.length)] as Thing;
const chooseSome = (choose: Choose, things: readonly string[]): string =>
	Array.from({length: 1 + choose(5)}, () => chooseOne(choose, things)).join(' ');

/** An expression with few different values, so that lints and matches are frequent. */
function anyTangle(choose: Choose, depth = 2): string {
	const notation = choose(3);
	const operators =
		[
			['and', 'or', 'xor'],
			['&&', '||', '^^'],
			['and', '||', 'or', '&&'],
		][notation] ?? [];
	const count = 1 + choose(3);
	return Array.from({length: count}, () => anyCondition(choose, depth)).reduce(
		(text, condition) => `${text} ${chooseOne(choose, operators)} ${condition}`,
	);
}

function anyCondition(choose: Choose, depth: number): string {
	if (depth > 0 && choose(4) === 0) return `(${anyTangle(choose, depth - 1)})`;
	if (depth > 0 && choose(4) === 0)
		return `${chooseOne(choose, ['not ', '!'])}${anyCondition(choose, depth - 1)}`;
	switch (choose(9)) {
		case 0:
			return `(${Array.from({length: 4}, () => `(http.host ${textOperation(choose)})`).join(' or ')})`;
		case 8:
			return `ip.src in {${chooseSome(choose, [...addresses, ...networks])}}`;
		case 1:
			return `cf.edge.server_port in {${chooseSome(choose, numbers)}}`;
		case 2:
			return `cf.edge.server_port ${chooseOne(choose, ['lt', '<=', 'gt', 'ge', 'ne', '=='])} 5`;
		case 3:
			return `http.host in {${chooseSome(choose, texts.map(quote))}}`;
		case 4:
			return `any(${chooseOne(choose, ['', 'not ', 'not not '])}http.request.headers["x"][*] ${textOperation(choose)})`;
		case 5:
			return `http.request.headers["x"][0] ${textOperation(choose)}`;
		case 6:
			return `ip.src ${chooseOne(choose, ['eq', 'ne', '=='])} ${chooseOne(choose, addresses)}`;
		default:
			return `http.host ${textOperation(choose)}`;
	}
}

const quote = (text: string): string => `"${text}"`;

const textOperation = (choose: Choose): string =>
	choose(4) === 0
		? `matches ${quote(chooseOne(choose, ['.', '.+', '^.+$', '^a$', String.raw`^(?:c\.d|b)$`, '^(a|b)$', '.*']))}`
		: `${chooseOne(choose, ['eq', 'eq', 'eq', 'ne', '==', 'lt'])} ${quote(chooseOne(choose, texts))}`;

function anyRequest(choose: Choose): SampleRequest {
	const address = parseIpAddress(chooseOne(choose, addresses));
	const headers =
		choose(3) === 0 ? [] : [['x', [chooseOne(choose, texts), chooseOne(choose, texts)]] as const];
	const values = new Map<string, FieldValue>([
		['ip.src', address.ok ? address : undefined],
		['http.host', chooseOne(choose, texts)],
		['cf.edge.server_port', choose(10)],
		['http.request.headers', {byName: new Map<string, FieldValue>(headers)}],
	]);
	return {index: choose(2), version: 4, field: name => values.get(name)};
}

test('corrections of style and of sets match the same requests as before', () => {
	const seenCodes = new Set<string>();
	fc.assert(
		fc.property(fc.integer({min: 0, max: 0xffff_ffff}), seed => {
			const choose = createChooser(seed);
			const text = anyTangle(choose);
			const {tree} = analyse(text);
			const requests = Array.from({length: 12}, () => anyRequest(choose));
			for (const {code, becomes} of findLints(text)) {
				if (code === undefined || becomes === undefined || !keepsMeaning.test(code)) continue;
				seenCodes.add(code);
				const corrected = analyse(becomes);
				expect(corrected.errors, becomes).toEqual([]);
				for (const request of requests)
					expect(
						corrected.tree && matchesRequest(corrected.tree, request),
						`${code}: ${text} => ${becomes}`,
					).toBe(tree && matchesRequest(tree, request));
			}
		}),
		{numRuns: getRunCount(3000)},
	);
	expect([...seenCodes].toSorted()).toEqual([
		...['L100', 'L101', 'L102', 'L112', 'L113'],
		...['L120', 'L121', 'L122', 'L123', 'L124'],
	]);
});

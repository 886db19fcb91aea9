import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	matchesAddress,
	parseAddressSet,
	withAddresses,
} from '../../../source/firewall/expression/expressions.ts';
import {getRunCount} from '../../support/full.ts';

describe('a set of addresses', () => {
	test.each([
		['ip.src eq 192.0.2.1', ['192.0.2.1']],
		['ip.src == 192.0.2.1', ['192.0.2.1']],
		['(ip.src in {192.0.2.1 10.0.0.0/8})', ['192.0.2.1', '10.0.0.0/8']],
		['ip.src in {192.0.2.1..192.0.2.9 2001:db8::/32}', ['192.0.2.1..192.0.2.9', '2001:db8::/32']],
	])('is parsed from: %s', (expression, items) => {
		expect(parseAddressSet(expression)).toEqual(items);
	});

	test.each([
		'ip.src ne 192.0.2.1',
		'not ip.src in {192.0.2.1}',
		'ip.src in {192.0.2.1} and ssl',
		'ip.src in {192.0.2.1} or ip.src in {192.0.2.2}',
		'ip.src in $list',
		'ip.src in {192.0.2.1',
		'ip.src in {192.0.2.1/24}',
		'ip.src.asnum in {64500}',
		'cf.edge.server_port in {80}',
		'ip.src eq ip.src',
		'http.host eq "192.0.2.1"',
		'true',
		'',
	])('is not parsed from: %s', expression => {
		expect(parseAddressSet(expression)).toBeUndefined();
		expect(withAddresses(expression, 'ip.src eq 192.0.2.1')).toBeUndefined();
		expect(withAddresses('ip.src eq 192.0.2.1', expression)).toBeUndefined();
	});
});

describe('an address set with more addresses', () => {
	test.each([
		['ip.src eq 192.0.2.1', 'ip.src eq 192.0.2.2', 'ip.src in {192.0.2.1 192.0.2.2}', ['192.0.2.2'], []],
		['ip.src in {10.0.0.0/8}', 'ip.src eq 10.1.2.3', 'ip.src in {10.0.0.0/8}', [], ['10.1.2.3']],
		[
			'ip.src in {10.0.0.0/9 10.128.0.0/9}',
			'ip.src in {10.0.0.0/8 192.0.2.1}',
			'ip.src in {10.0.0.0/9 10.128.0.0/9 192.0.2.1}',
			['192.0.2.1'],
			['10.0.0.0/8'],
		],
		[
			'ip.src in {10.0.0.0/9}',
			'ip.src in {10.0.0.0/8 10.200.0.0/16}',
			'ip.src in {10.0.0.0/9 10.0.0.0/8}',
			['10.0.0.0/8'],
			['10.200.0.0/16'],
		],
		['ip.src in {0.0.0.0/0}', 'ip.src eq ::1', 'ip.src in {0.0.0.0/0 ::1}', ['::1'], []],
		[
			'ip.src in {::/0}',
			'ip.src in {2001:db8::1..2001:db8::9}',
			'ip.src in {::/0}',
			[],
			['2001:db8::1..2001:db8::9'],
		],
		['ip.src eq 2001:DB8::1', 'ip.src eq 2001:db8:0::1', 'ip.src eq 2001:DB8::1', [], ['2001:db8:0::1']],
	])('%s and %s', (expression, more, combined, added, covered) => {
		expect(withAddresses(expression, more)).toEqual({expression: combined, added, covered});
	});

	const byte = fc.integer({min: 0, max: 3});
	const address = fc.tuple(byte, byte).map(([a, b]) => `10.0.${a}.${b * 80}`);
	const item = fc.oneof(
		address,
		fc.integer({min: 22, max: 25}).map(bits => `10.0.0.0/${bits}`),
		fc.tuple(byte, byte).map(([a, b]) => `10.0.${Math.min(a, b)}.0..10.0.${Math.max(a, b)}.80`),
		fc.integer({min: 0, max: 3}).map(number => `2001:db8::${number}`),
		fc.constantFrom('2001:db8::/126', '2001:db8::1..2001:db8::2'),
	);
	const set = fc.array(item, {minLength: 1, maxLength: 6}).map(items => `ip.src in {${items.join(' ')}}`);
	const sampleAddresses = [
		...[0, 1, 2, 3, 4].flatMap(a => [0, 1, 79, 80, 81, 127, 128, 160, 240, 255].map(b => `10.0.${a}.${b}`)),
		...[0, 1, 2, 3, 4].map(number => `2001:db8::${number}`),
	];

	test('matches exactly what one of the two matched', () => {
		fc.assert(
			fc.property(set, set, (expression, more) => {
				const combined = withAddresses(expression, more);
				if (!combined) throw new Error('not a set');
				for (const one of sampleAddresses)
					expect(matchesAddress(combined.expression, one, undefined), one).toBe(
						matchesAddress(expression, one, undefined) || matchesAddress(more, one, undefined),
					);
				expect([...combined.added, ...combined.covered].sort()).toEqual(
					[...(parseAddressSet(more) ?? [])].sort(),
				);
				// Adding the same addresses again adds nothing.
				expect(withAddresses(combined.expression, more)?.added).toEqual([]);
			}),
			{numRuns: getRunCount(600)},
		);
	});

	test('lists as added only addresses that were not fully matched before', () => {
		fc.assert(
			fc.property(set, address, (expression, one) => {
				const {added} = withAddresses(expression, `ip.src eq ${one}`) ?? {added: []};
				expect(added.length === 0).toBe(matchesAddress(expression, one, undefined));
			}),
			{numRuns: getRunCount(600)},
		);
	});
});

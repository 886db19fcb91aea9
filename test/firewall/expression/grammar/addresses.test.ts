import {isIP} from 'node:net';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	formatIpAddress,
	parseIpAddress,
	parseNetwork,
	parseRange,
	toNetworkAddress,
} from '../../../../source/firewall/expression/grammar/addresses.ts';
import {getRunCount} from '../../../support/full.ts';

const parseToHex = (text: string): string => {
	const read = parseIpAddress(text);
	return read.ok ? `${read.version} ${read.value.toString(16)}` : 'none';
};

const getCorrection = (read: {ok: boolean; correction?: string} | object): string | undefined =>
	'correction' in read ? read.correction : undefined;

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());
const addressLikeText = fc.oneof(
	anyAddress,
	fc.string({unit: fc.constantFrom('0', '1', '9', 'f', 'F', ':', '::', '.', '255', '/', ' '), maxLength: 20}),
);

describe('addresses', () => {
	test.each([
		['0.0.0.0', '4 0'],
		['192.0.2.1', '4 c0000201'],
		['255.255.255.255', '4 ffffffff'],
		['::', '6 0'],
		['::1', '6 1'],
		['1::', '6 10000000000000000000000000000'],
		['2001:DB8::1', '6 20010db8000000000000000000000001'],
		['1:2:3:4:5:6:7:8', '6 10002000300040005000600070008'],
		['::ffff:1.2.3.4', '6 ffff01020304'],
		['1:2:3:4:5:6:1.2.3.4', '6 10002000300040005000601020304'],
		['1:2:3:4:5:6:7::', '6 10002000300040005000600070000'],
	])('%s is read', (text, value) => {
		expect(parseToHex(text)).toBe(value);
	});

	test.each([
		...['', '1.2.3', '1.2.3.4.5', '1.2.3.256', '1.2.3.-4', ' 1.2.3.4', '1.2.3.4 ', '1.2.3.0x4', '1..2.3'],
		...[':', ':::', '1:2', '1::2::3', '12345::', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::', ':1::', 'g::'],
		...['1.2.3.4::', '::1.2.3.4:5', '::1.2.3.256', 'fe80::1%eth0', '::1/64', `${'0'.repeat(9999)}::1`],
	])('%s is not an address', text => {
		expect(parseToHex(text)).toBe('none');
	});

	test('leading zeros are refused with a correction', () => {
		const read = parseIpAddress('010.001.0.09');
		expect(read).toMatchObject({ok: false, correction: '10.1.0.9'});
	});

	test('the same texts are addresses as in Node', () => {
		fc.assert(
			fc.property(addressLikeText, text => {
				const read = parseIpAddress(text);
				expect(read.ok ? read.version : 0).toBe(isIP(text));
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	test('a formatted address is parsed back unchanged', () => {
		fc.assert(
			fc.property(anyAddress, text => {
				const read = parseIpAddress(text);
				if (!read.ok) throw new Error(text);
				expect(parseToHex(formatIpAddress(read))).toBe(parseToHex(text));
			}),
		);
	});

	test.each([
		['2001:0DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
		['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
		['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
		['0:0:0:0:0:0:0:0', '::'],
	])('%s is written as %s', (text, short) => {
		const read = parseIpAddress(text);
		expect(read.ok && formatIpAddress(read)).toBe(short);
	});
});

describe('networks', () => {
	test.each([
		['10.0.0.0/8', 8],
		['0.0.0.0/0', 0],
		['192.0.2.1/32', 32],
		['2001:db8::/32', 32],
		['::/0', 0],
		['::1/128', 128],
		['192.0.2.0/024', 24],
	])('%s is read', (text, bits) => {
		expect(parseNetwork(text)).toMatchObject({ok: true, bits});
	});

	test.each([
		['10.1.2.3/8', '10.0.0.0/8'],
		['192.0.2.255/31', '192.0.2.254/31'],
		['2001:db8::1/64', '2001:db8::/64'],
		['2001:db8:ffff::/33', '2001:db8:8000::/33'],
		['010.0.0.0/8', '10.0.0.0/8'],
		['1.2.3.4/08', '1.0.0.0/8'],
		['2001:db8::1/16', '2001::/16'],
	])('%s is wrong and corrected to %s', (text, expectedCorrection) => {
		const read = parseNetwork(text);
		expect(read.ok).toBe(false);
		expect(getCorrection(read)).toBe(expectedCorrection);
	});

	test.each([
		'1.2.3.4/0',
		'1.2.3.4/7',
		'2001:db8::1/15',
	])('%s has host bits set but is too large to be corrected', text => {
		expect(parseNetwork(text)).toMatchObject({ok: false, engineMessage: 'host part of address was not zero'});
		expect(getCorrection(parseNetwork(text))).toBeUndefined();
	});

	test.each([
		'1.2.3.4',
		'1.2.3.4/',
		'1.2.3.4/33',
		'::/129',
		'1.2.3.4/-1',
		'/8',
		'1.2.3.0/24/2',
		'a/8',
	])('%s is not a network', text => {
		expect(parseNetwork(text)).toMatchObject({ok: false});
		expect(getCorrection(parseNetwork(text))).toBeUndefined();
	});

	test('a correction is always a network', () => {
		fc.assert(
			fc.property(anyAddress, fc.nat(130), (address, bits) => {
				const read = parseNetwork(`${address}/${bits}`);
				const correction = getCorrection(read);
				if (correction !== undefined) expect(parseNetwork(correction)).toMatchObject({ok: true, bits});
			}),
		);
	});

	test('the network of an address contains that address', () => {
		fc.assert(
			fc.property(fc.bigInt(0n, 2n ** 32n - 1n), fc.integer({min: 0, max: 32}), (value, bits) => {
				const network = toNetworkAddress({version: 4, value}, bits).value;
				expect(network <= value && value < network + 2n ** BigInt(32 - bits)).toBe(true);
			}),
		);
	});
});

describe('ranges', () => {
	test('go from one address to another of the same version', () => {
		expect(parseRange('1.2.3.4..1.2.3.9')).toMatchObject({ok: true});
		expect(parseRange('::1..::1')).toMatchObject({ok: true});
	});

	test('are swapped by a correction if they are the wrong way round', () => {
		expect(parseRange('1.2.3.10..1.2.3.9')).toMatchObject({ok: false, correction: '1.2.3.9..1.2.3.10'});
	});

	test.each([
		'1.2.3.4',
		'1.2.3.4..',
		'..1.2.3.4',
		'1.2.3.4..::1',
		'1.2.3.4...5',
		'1.2.3.0/24..1.2.3.9',
		'1..2',
	])('%s is not a range', text => {
		expect(parseRange(text)).toMatchObject({ok: false});
	});
});

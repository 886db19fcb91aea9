import {expect, test} from 'vitest';
import {parseListAddress, parseListAddresses} from '../../source/lists/addresses.ts';

test.each([
	['203.0.113.7', '203.0.113.7'],
	['203.0.113.7/32', '203.0.113.7'],
	['10.0.0.0/8', '10.0.0.0/8'],
	['2001:DB8:0::1', '2001:db8::1'],
	['2001:DB8::1/128', '2001:db8::1'],
	['2001:DB8:10::/48', '2001:db8:10::/48'],
	['f000::/4', 'f000::/4'],
])('%s is stored as %s', (text, address) => {
	expect(parseListAddress(text)).toEqual({address});
});

test.each([
	'10.0.0.0/7',
	'e000::/3',
	'203.0.113.7/24',
	'203.0.113.7/33',
	'203.0.113',
	'example.com',
	'',
	'ip',
])('%j is no address of a list', text => {
	expect(parseListAddress(text)).toHaveProperty('problem');
	expect(() => parseListAddresses(['192.0.2.1', text])).toThrow(
		expect.objectContaining({code: 'input_malformed'}),
	);
});

test('an address is taken once, however it is written', () => {
	expect(parseListAddresses(['192.0.2.1', '2001:db8::1', '192.0.2.1/32', '2001:DB8:0:0::1'])).toEqual([
		'192.0.2.1',
		'2001:db8::1',
	]);
});

import {describe, expect, test} from 'vitest';
import {findFunction, formatType} from '../../../../source/firewall/expression/expressions.ts';
import {functions} from '../../../../source/firewall/expression/vocabulary/functions.ts';
import {defaultPhase} from '../../../../source/firewall/expression/vocabulary/phases.ts';
import {getVerdict} from '../../../../source/firewall/expression/vocabulary/verdict.ts';

const getReturnType = (name: string): string | undefined => {
	const returns = findFunction(name)?.returns;
	return returns === undefined || returns === 'first' ? returns : formatType(returns);
};

const getParameters = (name: string) => findFunction(name)?.parameters ?? [];

describe('the functions of expressions', () => {
	test('are callable in firewall and custom rules if they are listed here', () => {
		const names = functions
			.filter(one => getVerdict(one, defaultPhase).kind !== 'error')
			.map(({name}) => name);
		expect(names.toSorted()).toEqual([
			...['all', 'any', 'cidr', 'cidr6', 'coalesce', 'concat', 'decode_base64', 'ends_with', 'has_key'],
			...['has_value', 'hash_in_range', 'is_timed_hmac_valid_v0', 'join', 'len', 'lookup_json_integer'],
			...['lookup_json_string', 'lower', 'remove_bytes', 'starts_with', 'substring', 'upper', 'url_decode'],
		]);
	});

	test.each([
		['any', 'Boolean'],
		['lower', 'String'],
		['len', 'Integer'],
		['cidr', 'IP'],
		['split', 'Array<String>'],
		['concat', 'first'],
		['sha256', 'Bytes'],
		['hash_in_range', 'Integer'],
		['has_key', 'Boolean'],
		['lookup_json_integer', 'Integer'],
		['is_timed_hmac_valid_v0', 'Boolean'],
	])('%s returns %s', (name, type) => {
		expect(getReturnType(name)).toBe(type);
	});

	test.each([
		['cidr', [1, 32], [1, 128]],
		['cidr6', [1, 128]],
		['split', [1, 128]],
	])('%s has limits for its numbers', (name, ...bounds) => {
		const numbers = getParameters(name).filter(({minValue}) => minValue !== undefined);
		expect(numbers.map(({minValue, maxValue}) => [minValue, maxValue])).toEqual(bounds);
	});

	test.each([
		'lower',
		'upper',
		'starts_with',
		'ends_with',
		'substring',
		'decode_base64',
		'cidr',
	])('%s takes no literal as its first argument', name => {
		expect(getParameters(name)[0]?.requiredKind).toBe('field');
	});

	test('url_decode takes one of a few options', () => {
		expect(getParameters('url_decode')[1]).toMatchObject({optional: true, oneOf: ['r', 'u', 'ur']});
	});

	test('repeat only the last parameter, and have no required parameter after an optional one', () => {
		for (const {parameters} of functions) {
			expect(parameters.slice(0, -1).some(({repeated}) => repeated)).toBe(false);
			const firstOptional = parameters.findIndex(({optional}) => optional);
			if (firstOptional >= 0)
				expect(parameters.slice(firstOptional).every(({optional}) => optional)).toBe(true);
		}
	});

	test('require the Pro plan for signatures, and include no names in capitals or of object members', () => {
		expect(findFunction('is_timed_hmac_valid_v0')?.plan).toBe('pro');
		for (const name of ['Lower', 'toString', '']) expect(findFunction(name)).toBeUndefined();
	});
});

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {toBindingName} from '../../source/settings/namespace-entry.ts';

describe('toBindingName', () => {
	test.each([
		['SESSIONS', 'SESSIONS'],
		['my-kv store', 'my_kv_store'],
		['9-ab.c', '_9_abc'],
		['bad-name', 'bad_name'],
		['a--__ b', 'a_b'],
		['', 'KV'],
		['---', 'KV'],
		['имя', 'KV'],
		['-1', '_1'],
		['é9', '_9'],
	])('turns "%s" into %s', (title, name) => {
		expect(toBindingName(title)).toBe(name);
	});

	test('always returns a name that a Worker can use', () => {
		fc.assert(
			fc.property(fc.string({unit: 'binary'}), title => {
				expect(toBindingName(title)).toMatch(/^[A-Za-z_]\w*$/);
			}),
		);
	});
});

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {createExpiryCondition, parseWhere} from '../../../source/kv/transfer/conditions.ts';
import {parseStoreName} from '../../../source/kv/transfer/store-name.ts';

function getErrorCode(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		if (isFailure(error)) return error.code;
		throw error;
	}
	return 'none';
}

describe('the name of a store', () => {
	test.each([
		['remote:SESSIONS', {kind: 'remote', name: 'SESSIONS'}],
		['remote:a title: with colons', {kind: 'remote', name: 'a title: with colons'}],
		['preview:SESSIONS', {kind: 'preview', binding: 'SESSIONS'}],
		['local:SESSIONS', {kind: 'local', name: 'SESSIONS', folder: undefined}],
		['local:SESSIONS@../other@2', {kind: 'local', name: 'SESSIONS', folder: '../other@2'}],
		['simulated:SESSIONS', {kind: 'simulated', name: 'SESSIONS'}],
		['file:C:/all.ndjson', {kind: 'file', path: 'C:/all.ndjson'}],
	])('%s', (text, name) => {
		expect(parseStoreName(text)).toEqual(name);
	});

	test.each(['SESSIONS', 'remote:', ':x', 'locale:x', 'local:@folder', 'local:x@', ''])('is not %j', text => {
		expect(getErrorCode(() => parseStoreName(text))).toBe('usage');
	});

	test('is read from any text, or refused as a usage error', () => {
		fc.assert(
			fc.property(fc.string(), text => {
				expect(['none', 'usage']).toContain(getErrorCode(() => parseStoreName(text)));
			}),
		);
	});
});

describe('a condition', () => {
	const entry = {name: 'k', metadata: {version: 3, owner: 'ann', tags: ['x', 'y'], off: false, none: null}};
	test.each([
		['metadata', true],
		['metadata.version=3', true],
		['metadata.version=4', false],
		['metadata.owner=ann', true],
		['metadata.owner="ann"', true],
		['metadata.owner', true],
		['metadata.tags.1=y', true],
		['metadata.tags=["x","y"]', true],
		['metadata.off=false', true],
		['metadata.none=null', true],
		['metadata.absent', false],
		['metadata.toString', false],
		['metadata.owner=a=b', false],
		['metadata.version!=4', true],
		['metadata.version!=3', false],
		['metadata.owner!="ann"', false],
		['metadata.owner!=', true],
		['metadata.absent!=3', false],
		['metadata!={}', true],
	])('%s', (text, holds) => {
		expect(parseWhere(text)(entry)).toBe(holds);
		expect(parseWhere(text)({name: 'without'})).toBe(false);
	});

	test.each([
		'',
		'owner=ann',
		'metadata..x',
		'metadata.=1',
		'metadata.!=1',
		'!=1',
		'Metadata.x',
	])('is not %j', text => {
		expect(getErrorCode(() => parseWhere(text))).toBe('usage');
	});

	test('before a time does not match a key that never expires', () => {
		const matches = createExpiryCondition(100);
		expect([
			matches({name: 'k'}),
			matches({name: 'k', expiration: 99}),
			matches({name: 'k', expiration: 100}),
		]).toEqual([false, true, false]);
	});
});

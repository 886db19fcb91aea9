import {expect, test} from 'vitest';
import type {Proposal, PutProposal} from '../../../source/kv/change/proposal.ts';
import {digestKey, type WholeKey} from '../../../source/kv/change/whole-key.ts';
import {listWriteWarnings} from '../../../source/kv/change/write-warnings.ts';
import {runSteps} from '../../../source/text/steps.ts';
import {bytes} from '../local/temporary.ts';

const createWholeKey = (value: string | Uint8Array): WholeKey => ({
	bytes: typeof value === 'string' ? bytes(value) : value,
	metadata: null,
});

const createPut = (after: string | Uint8Array, rest: Partial<PutProposal> = {}): Proposal => ({
	kind: 'put',
	key: 'k',
	base: undefined,
	mine: createWholeKey(after),
	lifetime: 'keep',
	origin: 'edit',
	...rest,
});

const getWarnings = (before: string | Uint8Array | undefined, after: string | Uint8Array, rest = {}) =>
	runSteps(
		listWriteWarnings(createPut(after, rest), before === undefined ? undefined : createWholeKey(before)),
	);

const binary = Uint8Array.of(0xff, 0xfe, 0);

test.each<[string, string | Uint8Array, string | Uint8Array, string[]]>([
	['emptied', 'x', '', ['The value had 1 byte and is empty now.']],
	['emptied JSON, said once', '{"a":1}', '', ['The value had 7 bytes and is empty now.']],
	['broken JSON', '[1]', '[1', ['The value was JSON and is not valid JSON now.']],
	['JSON that becomes bytes', '[1]', binary, ['The value was JSON and is binary now.']],
	['text that becomes bytes', 'abc', binary, ['The value was text and is binary now.']],
	['bytes that become text', binary, 'abc', ['The value was binary and is text now.']],
	['99 times as long', 'ab', 'x'.repeat(199), []],
	['100 times as long', 'ab', 'x'.repeat(200), ['The value grows 100-fold: 2 → 200 bytes.']],
	[
		'both',
		'{}',
		'x'.repeat(2001),
		['The value was JSON and is not valid JSON now.', 'The value grows 1,000-fold: 2 → 2,001 bytes.'],
	],
	['JSON of another kind', '{"a":1}', '5', []],
	['text that becomes JSON', 'abc', '{"a":1}', []],
	['text', 'abc', 'abd', []],
	['shorter', 'x'.repeat(500), 'x', []],
	['bytes', binary, Uint8Array.of(0xff), []],
])('%s', (_what, before, after, expected) => {
	expect(getWarnings(before, after)).toEqual(expected);
});

test('a new key, an undo and a deletion give no warning', () => {
	expect(getWarnings(undefined, 'x'.repeat(1000))).toEqual([]);
	expect(getWarnings('{"a":1}', '', {origin: 'undo'})).toEqual([]);
	const deleting: Proposal = {kind: 'delete', key: 'k', base: createWholeKey('x'), origin: 'delete'};
	expect(runSteps(listWriteWarnings(deleting, createWholeKey('x')))).toEqual([]);
});

test('if the key is deleted meanwhile, its base is compared if its value is known', () => {
	expect(getWarnings(undefined, '', {base: createWholeKey('x')})).toEqual([
		'The value had 1 byte and is empty now.',
	]);
	expect(getWarnings(undefined, '', {base: digestKey(createWholeKey('x'))})).toEqual([]);
});

test('a value that was empty before gives no warning', () => {
	expect(getWarnings('', 'x'.repeat(1000))).toEqual([]);
});

import {expect, test} from 'vitest';
import type {PutProposal} from '../../../source/kv/change/proposal.ts';
import type {WholeKey} from '../../../source/kv/change/whole-key.ts';
import {computeFinding} from '../../../source/screens/review/finding.ts';
import {isFull} from '../../support/full.ts';

const buildWholeKey = (value: string): WholeKey => ({bytes: Buffer.from(value), metadata: null});

/** Computes the finding about a value that others changed, too: the number of steps and the merge. */
function runFinding(first: string, theirs: string, ours: string) {
	const proposal: PutProposal = {
		kind: 'put',
		key: 'k',
		origin: 'edit',
		base: buildWholeKey(first),
		mine: buildWholeKey(ours),
		lifetime: 'keep',
	};
	const work = computeFinding(proposal, {type: 'changed', stored: buildWholeKey(theirs)});
	for (let steps = 1; ; steps++) {
		const step = work.next();
		if (step.done) return {steps, merge: step.value.mergeOffer};
	}
}

/** Entries of a very large value. Versions 1 and 2 each change one entry of version -1. */
const entryCount = isFull ? 100_000 : 20_000;
const computeEntry = (index: number, version: number): number => (index === version * 1000 ? 9 : index % 7);

test.each([
	['an array', (version: number) => Array.from({length: entryCount}, (_, at) => computeEntry(at, version))],
	[
		'an object',
		(version: number) =>
			Object.fromEntries(Array.from({length: entryCount}, (_, at) => [`k${at}`, computeEntry(at, version)])),
	],
	[
		'many objects',
		(version: number) =>
			Array.from({length: entryCount / 4}, (_, at) => ({at, n: computeEntry(at, version), on: true})),
	],
])('%s with very many fields is compared and merged in many short steps', (_, buildVersion) => {
	const [first, theirs, ours] = [-1, 1, 2].map(version => JSON.stringify(buildVersion(version)));
	const {steps, merge} = runFinding(first ?? '', theirs ?? '', ours ?? '');
	expect(merge?.type).toBe('possible');
	// Reading, numbering and laying out look at each field of each version, a thousand in a step at the most.
	expect(steps).toBeGreaterThan((3 * 3 * entryCount) / 1000);
});

test('lines of plain text are compared in many short steps', () => {
	const buildText = (version: number) =>
		Array.from({length: entryCount}, (_, at) => computeEntry(at, version)).join('\n');
	expect(runFinding(buildText(-1), buildText(1), buildText(2)).steps).toBeGreaterThan(
		(3 * entryCount) / 1000,
	);
});

test('values too large to compare are hashed in many short steps, and not merged', () => {
	const [first, theirs, ours] = ['a', 'b', 'c'].map(letter => letter.repeat(8 << 20));
	const {steps, merge} = runFinding(first ?? '', theirs ?? '', ours ?? '');
	expect(steps).toBeGreaterThan(3 * 8);
	expect(merge).toEqual({type: 'impossible', why: 'Your change would replace a newer value.'});
});

const buildUndo = (base: Partial<WholeKey>, mine: Partial<WholeKey>, expiration?: number): PutProposal => ({
	kind: 'put',
	key: 'k',
	origin: 'undo',
	base: {...buildWholeKey('{"a":1}'), ...base},
	mine: {...buildWholeKey('{"a":1}'), ...mine},
	lifetime: expiration === undefined ? 'keep' : {expiration},
});

function runUndo(proposal: PutProposal, stored: WholeKey) {
	const work = computeFinding(proposal, {type: 'changed', stored});
	for (;;) {
		const step = work.next();
		if (step.done) return step.value.mergeOffer;
	}
}

test('the conflict of an undo names all that was changed, and an expiration that was removed', () => {
	const undo = buildUndo({expiration: 4_000_000_000}, {}, 4_100_000_000);
	expect(runUndo(undo, {bytes: Buffer.from('other'), metadata: {by: 'other'}})).toEqual({
		type: 'impossible',
		why: 'The undo would replace a newer expiration (now none). Also changed since: value and metadata.',
	});
});

test('the merge of an undo calls its side earlier, not mine', () => {
	const undo = buildUndo({metadata: 1}, {metadata: 2});
	expect(runUndo(undo, {bytes: Buffer.from('other'), metadata: 1})).toMatchObject({
		label: 'Merge: keep the stored value, restore the earlier metadata',
	});
});

test('the merge of an undo leaves out the expiration of a key that never expired', () => {
	const undo: PutProposal = {...buildUndo({metadata: 1}, {metadata: 2}), lifetime: 'never'};
	expect(runUndo(undo, {bytes: Buffer.from('other'), metadata: 1})).toMatchObject({
		label: 'Merge: keep the stored value, restore the earlier metadata',
	});
});

test('the merge of an undo keeps an expiration that someone else added meanwhile', () => {
	const undo: PutProposal = {...buildUndo({metadata: 1}, {metadata: 2}), lifetime: 'never'};
	expect(
		runUndo(undo, {bytes: Buffer.from('{"a":1}'), metadata: 1, expiration: 4_000_000_000}),
	).toMatchObject({
		label: 'Merge: keep the stored expiration, restore the earlier metadata',
		proposal: {lifetime: 'keep'},
	});
});

test('a merge names no stored part if all that others changed is as in my change', () => {
	const change: PutProposal = {...buildUndo({}, {metadata: 2}), origin: 'edit', lifetime: 'never'};
	const both = {...change, mine: {...change.mine, bytes: Buffer.from('same')}};
	expect(runUndo(both, {bytes: Buffer.from('same'), metadata: null})).toMatchObject({
		label: 'Merge: write my value and metadata',
	});
});

test('the merge of an undo with changes in the same JSON says what it undoes', () => {
	const undo = buildUndo(buildWholeKey('{"a":1,"b":1}'), buildWholeKey('{"a":0,"b":1}'));
	expect(runUndo(undo, buildWholeKey('{"a":1,"b":2}'))).toMatchObject({
		label: 'Merge: keep their changes, undo mine',
		summary: ['A merge has the changes of both sides:', 'theirs  b: 1 → 2', 'undo    a: 1 → 0'],
	});
});

test.each([
	['{"a":1,"b":2}', '{"a":1}', '{"a":9,"b":2}', 'b deleted (was 2)', 'a: 1 → 9'],
	['{"a":1,"b":2}', '{"a":1,"b":3}', '{"b":2}', 'b: 2 → 3', 'a deleted (was 1)'],
	['{"a":1}', '{"a":1,"c":[1,2]}', '{"a":1,"b":"x"}', 'c added: [1,2]', 'b added: "x"'],
	[
		'{"a":{"b":[1,2]},"c":1}',
		'{"a":{"b":[1,3]},"c":1}',
		'{"a":{"b":[1,2]},"c":2}',
		'a.b[1]: 2 → 3',
		'c: 1 → 2',
	],
	[
		'{"a":1,"b":2,"c":3,"d":4,"e":5}',
		'{"e":5}',
		`{"a":1,"b":2,"c":3,"d":4,"e":[${'1,'.repeat(20)}2]}`,
		'a deleted (was 1); b deleted (was 2); c deleted (was 3) and 1 more',
		'e: 5 → [ 21 elements ]',
	],
])('a merge of %s with %s and %s says what each side changed', (first, theirs, ours, theirChanges, myChanges) => {
	expect(runFinding(first, theirs, ours).merge).toMatchObject({
		summary: ['A merge has the changes of both sides:', `theirs  ${theirChanges}`, `yours   ${myChanges}`],
	});
});

test('control characters in the summary of a merge are escaped', () => {
	const {merge} = runFinding('{"a":1,"b":2}', '{"a":1,"b\\u001b":"\u202e","b":2}', '{"a":3,"b":2}');
	const summary = merge?.type === 'possible' ? merge.summary.join('') : '';
	expect(summary).toContain('added');
	expect(summary).not.toMatch(/[\u001b\u202e]/);
});

test.each([
	['{"a":1,"b":2}', '{"b":2}', '{"a":3,"b":2}', 'a (theirs deleted, yours 3)'],
	['{"a":1,"b":2}', '{"a":3,"b":2}', '{"b":2}', 'a (theirs 3, yours deleted)'],
	['{"b":2}', '{"a":1,"b":2}', '{"a":3,"b":2}', 'a (theirs 1, yours 3)'],
])('a conflict in %s with %s and %s says what each side did', (first, theirs, ours, conflict) => {
	expect(runFinding(first, theirs, ours).merge).toEqual({
		type: 'impossible',
		why: `No merge, because both sides changed ${conflict}.`,
	});
});

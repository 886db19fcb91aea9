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

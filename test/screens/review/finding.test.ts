import {expect, test} from 'vitest';
import type {PutProposal} from '../../../source/kv/change/proposal.ts';
import type {WholeKey} from '../../../source/kv/change/whole-key.ts';
import {computeFinding} from '../../../source/screens/review/finding.ts';
import {isFull} from '../../support/full.ts';

const keyOf = (value: string): WholeKey => ({bytes: Buffer.from(value), metadata: null});

/** The steps in which it is found out what can be done about a value that others changed, too. */
function stepsOf(first: string, theirs: string, ours: string) {
	const proposal: PutProposal = {
		kind: 'put',
		key: 'k',
		origin: 'edit',
		base: keyOf(first),
		mine: keyOf(ours),
		lifetime: 'keep',
	};
	const work = computeFinding(proposal, {type: 'changed', stored: keyOf(theirs)});
	for (let steps = 1; ; steps++) {
		const step = work.next();
		if (step.done) return {steps, merge: step.value.mergeOffer};
	}
}

/** What differs between the versions of a value with very many entries. */
const many = isFull ? 100_000 : 20_000;
const changed = (at: number, version: number): number => (at === version * 1000 ? 9 : at % 7);

test.each([
	['an array', (version: number) => Array.from({length: many}, (_, at) => changed(at, version))],
	[
		'an object',
		(version: number) =>
			Object.fromEntries(Array.from({length: many}, (_, at) => [`k${at}`, changed(at, version)])),
	],
	[
		'many objects',
		(version: number) => Array.from({length: many / 4}, (_, at) => ({at, n: changed(at, version), on: true})),
	],
])('%s with very many fields is compared and merged in many short steps', (_, versionOf) => {
	const [first, theirs, ours] = [-1, 1, 2].map(version => JSON.stringify(versionOf(version)));
	const {steps, merge} = stepsOf(first ?? '', theirs ?? '', ours ?? '');
	expect(merge?.type).toBe('possible');
	// Reading, numbering and laying out look at each field of each version, a thousand in a step at the most.
	expect(steps).toBeGreaterThan((3 * 3 * many) / 1000);
});

test('lines of plain text are compared in many short steps', () => {
	const textOf = (version: number) => Array.from({length: many}, (_, at) => changed(at, version)).join('\n');
	expect(stepsOf(textOf(-1), textOf(1), textOf(2)).steps).toBeGreaterThan((3 * many) / 1000);
});

test('values too large to compare are hashed in many short steps, and not merged', () => {
	const [first, theirs, ours] = ['a', 'b', 'c'].map(letter => letter.repeat(8 << 20));
	const {steps, merge} = stepsOf(first ?? '', theirs ?? '', ours ?? '');
	expect(steps).toBeGreaterThan(3 * 8);
	expect(merge).toEqual({type: 'impossible', why: 'Both changed the value.'});
});

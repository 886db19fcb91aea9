import {expect, test} from 'vitest';
import {countMatches, findInValue} from '../../../source/screens/key/find.ts';
import {createKeyView, type KeyView, type ValueForm} from '../../../source/screens/key/value-view.ts';

const columns = 80;

const createViewIn = (form: ValueForm, value: string): KeyView => ({
	...createKeyView(Buffer.from(value)),
	form,
	lastMovedForm: form,
});

/** Goes to each match as n does, until the search wraps around. Returns the counts that the header shows. */
function collectCounts(view: KeyView, query: string): string[] {
	const seen: string[] = [];
	let found = findInValue(view, query, 'here', columns);
	while (found && (seen.length === 0 || !found.isWrapped)) {
		const {matchNumber, total} = countMatches(found.view, query, columns);
		seen.push(`${matchNumber} of ${total}`);
		found = findInValue(found.view, query, 'behind', columns);
	}
	return seen;
}

test.each<[ValueForm, string]>([
	['json', JSON.stringify({one: 'ab', two: ['Ab', 'ab ab'], ab: 1, three: {deep: 'xAB'}})],
	['text', 'ab\nnothing\nAb and ab\nAB\n\nxabx'],
	['hex', `ab${' '.repeat(40)}Ab${' '.repeat(40)}aB ab${' '.repeat(40)}ab`],
])('in %s each match is counted once, in the order that n visits them', (form, value) => {
	const seen = collectCounts(createViewIn(form, value), 'ab');
	expect(seen.length).toBeGreaterThan(2);
	expect(seen).toEqual(seen.map((_, index) => `${index + 1} of ${seen.length}`));
});

test('an uppercase letter makes the search case-sensitive', () => {
	const view = createViewIn('text', 'ab\nAb\nAB');
	expect(collectCounts(view, 'ab')).toHaveLength(3);
	expect(collectCounts(view, 'Ab')).toEqual(['1 of 1']);
});

test('away from the matches, only their total is shown', () => {
	const view = createViewIn('text', 'ab\nnothing');
	const moved = {...view, cursors: {...view.cursors, text: 1}};
	expect(countMatches(moved, 'ab', columns)).toEqual({matchNumber: undefined, total: 1, isComplete: true});
	expect(countMatches(view, 'missing', columns)).toEqual({
		matchNumber: undefined,
		total: 0,
		isComplete: true,
	});
});

test('not all of very many matches are counted', () => {
	const view = createViewIn('text', 'a\n'.repeat(6000));
	expect(countMatches(view, 'a', columns)).toEqual({matchNumber: 1, total: 5000, isComplete: false});
});

test('rows of text that are not laid out yet are not counted', () => {
	const view = createViewIn('text', `ab\n${'x\n'.repeat(200_000)}ab`);
	expect(countMatches(view, 'ab', columns)).toEqual({matchNumber: 1, total: 1, isComplete: false});
	view.lines.indexMore(1 << 20);
	const known = {...view, knownRows: view.lines.knownRows};
	expect(countMatches(known, 'ab', columns)).toEqual({matchNumber: 1, total: 2, isComplete: true});
});

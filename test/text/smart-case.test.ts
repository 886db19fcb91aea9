import {expect, test} from 'vitest';
import {findTextMatches} from '../../source/text/smart-case.ts';

type Row = {readonly name: string; readonly texts: readonly (string | undefined)[]; readonly ids?: string[]};

const rows: readonly Row[] = [
	{name: 'failed', texts: ['GET', undefined, '/zones/a', 'failed'], ids: ['01234567890123ab']},
	{name: 'first', texts: ['block', 'Partner 010', 'ip.src eq\n  192.0.2.1'], ids: ['fedcba9876543210']},
	{name: 'second', texts: ['block', 'Partner 020: was 010'], ids: ['0100000000000010']},
];

const find = (typedText: string) => {
	const {rows: found, hasSplitWords} = findTextMatches(
		rows,
		typedText,
		({texts}) => texts,
		({ids}) => ids ?? [],
	);
	return [found.map(({name}) => name).join(), hasSplitWords];
};

test('a text with blanks is found as typed; its words apart only where nothing has it so', () => {
	expect(['', ' ', 'get', 'Partner 01', 'partner  01 ', 'eq 192.0.2.1'].map(find)).toEqual([
		['failed,first,second', false],
		['failed,first,second', false],
		['failed', false],
		['first', false],
		['first', false],
		['first', false],
	]);
	expect(['fail get', 'partner block', 'GET zones', '010 partner'].map(find)).toEqual([
		['failed', true],
		['first,second', true],
		['failed', true],
		['first,second', true],
	]);
});

test('a capital makes the text match exactly, also its words apart', () => {
	expect(['post', 'get post', 'Get zones', 'GET Failed', 'PARTNER'].map(find)).toEqual(
		Array.from({length: 5}, () => ['', false]),
	);
});

test('an id is found by its start, in at least four characters, and never in part', () => {
	expect(['0123', '01234567890123AB', '012', '234567890123', 'cba98765'].map(find)).toEqual([
		['failed', false],
		['failed', false],
		['', false],
		['', false],
		['', false],
	]);
});

import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readVariables} from '../../source/settings/variables.ts';
import {failureOf, folderWith} from './support/files.ts';

test('the first variable that is set counts, and an empty one counts as unset', () => {
	const variables = readVariables({A: '', B: 'b', C: 'c'});
	expect(variables('A', 'B', 'C')).toEqual({value: 'b', from: 'B'});
	expect(variables('A')).toBeUndefined();
	expect(variables('constructor', '__proto__')).toBeUndefined();
});

test('no .env is read unless it is named', () => {
	const folder = folderWith({'.env': 'A=from the file'});
	expect(readVariables({}, [], folder)('A')).toBeUndefined();
	expect(readVariables({}, ['.env'], folder)('A')).toEqual({value: 'from the file', from: 'A in .env'});
});

test('the environment wins over a file, in either spelling, and a later file over an earlier one', () => {
	const folder = folderWith({one: 'A=1\nB=1\nD=1', two: '\ufeffB="2"\n# C=3\nD=', 'sub/x': ''});
	const variables = readVariables(
		{OLD_A: 'real', D: ''},
		['../one', join(folder, 'two')],
		join(folder, 'sub'),
	);
	expect(variables('A', 'OLD_A')).toEqual({value: 'real', from: 'OLD_A'});
	expect(variables('B')).toEqual({value: '2', from: `B in ${join(folder, 'two')}`});
	expect(variables('C')).toBeUndefined();
	expect(variables('D')).toEqual({value: '1', from: 'D in ../one'});
});

test('a named file that is missing is refused', async () => {
	const failure = await failureOf(() => readVariables({}, ['.env.none'], folderWith({})));
	expect(failure).toMatchObject({code: 'input_missing', exitCode: 2});
	expect(failure.message).toContain('.env.none');
});

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {replaceFile} from '../../source/state/replace-file.ts';
import {failureOf, folderWith} from '../settings/support/files.ts';

describe('replaceFile', () => {
	test('leaves a file alone if it has changed since it was read', async () => {
		const folder = folderWith({f: 'theirs'});
		const failure = await failureOf(() => replaceFile(join(folder, 'f'), Buffer.from('before'), 'mine'));
		expect(failure.code).toBe('changed_meanwhile');
		expect(readFileSync(join(folder, 'f'), 'utf8')).toBe('theirs');
		expect(readdirSync(folder)).toEqual(['f']);
	});

	test('fails if the file does not exist', async () => {
		const failure = await failureOf(() => replaceFile(join(folderWith({}), 'none'), Buffer.from(''), 'mine'));
		expect(failure).toMatchObject({code: 'file_failed', exitCode: 1});
	});
});

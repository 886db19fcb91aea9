import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	computeDatabaseName,
	createBlobId,
	getNamespacePaths,
	isBlobId,
	toBlobFolderName,
} from '../../../source/kv/local/naming.ts';

describe('the name of a database', () => {
	test.each([
		['nsid1', '34f0fdd5f2bafda477e81e8dbbf668f9a9be7681e3baeb0d6f7abcbcbb62b6cf'],
		['N', '782ef2bf963104ab1e2ad15006668d5d153c11d9ec55821c9eb0a1cbbf5930d9'],
		['../../evil', '6605bbe0817a53ce7b0f09b6fb0ed87f3949c85361e15b2eba0bda97b0e79b77'],
		['имя é', '901578dca682e5721f84b59bd9e5a4211441d5a7b8c26eaa76c1f39e930bf321'],
	])("for %j is the same as the peer's", (id, name) => {
		expect(computeDatabaseName(id)).toBe(`${name}.sqlite`);
	});

	test('for "M" begins like the peer\'s', () => {
		expect(computeDatabaseName('M')).toMatch(/^9b376e0d[0-9a-f]{56}\.sqlite$/);
	});

	test('is 64 hex digits for any id, and differs between ids', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), fc.string({unit: 'grapheme'}), (one, other) => {
				expect(computeDatabaseName(one)).toMatch(/^[0-9a-f]{64}\.sqlite$/);
				expect(computeDatabaseName(one) === computeDatabaseName(other)).toBe(one === other);
			}),
		);
	});
});

describe('the folder of blobs', () => {
	test.each([
		['0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
		['имя é', 'имя é'],
		['../../evil', '______evil'],
		['.', '_'],
		['..', '__'],
		['../..', '_____'],
		['a/../b', 'a____b'],
		['a..b', 'a..b'],
		['.hidden', '.hidden'],
		['\\..\\x', '____x'],
		['a?<>*"\'^:|b', 'a_________b'],
		['tab\tnul\0c1\u0085del\u007f', 'tab_nul_c1_del\u007f'],
		['CON', '_'],
		['con.txt', '_'],
		['lpt7', '_'],
		['console', 'console'],
		['  a  ', '__a__'],
		['x'.repeat(300), 'x'.repeat(255)],
	])('for %j is %j', (id, folder) => {
		expect(toBlobFolderName(id)).toBe(folder);
	});

	test('never leaves the store', () => {
		const unit = fc.constantFrom('.', '/', '\\', 'a', ' ', '\0', ':', 'é', 'C', 'O', 'N');
		fc.assert(
			fc.property(fc.string({unit, minLength: 1}), id => {
				const folder = toBlobFolderName(id);
				expect(folder).not.toMatch(/[/\\\0]/);
				expect(['', '.', '..']).not.toContain(folder);
				expect(getNamespacePaths('/root/v3', id).blobs).toBe(`/root/v3/kv/${folder}/blobs`);
			}),
		);
	});
});

test('a blob id ends with its time, and is unique', () => {
	const ids = Array.from({length: 1000}, () => createBlobId(1_700_000_000_123.7));
	expect(new Set(ids).size).toBe(1000);
	expect(ids.every(isBlobId)).toBe(true);
	for (const id of ids) expect(BigInt(`0x${id.slice(64)}`)).toBe(1_700_000_000_123n);
});

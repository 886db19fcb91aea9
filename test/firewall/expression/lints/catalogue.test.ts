import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {analyse, findLint, listLints} from '../../../../source/firewall/expression/expressions.ts';

const folder = new URL('../../../../source/firewall/expression/', import.meta.url);

describe.for(listLints().map(lint => [lint.code, lint] as const))('%s', ([, lint]) => {
	test('has a valid example, unless it is an error', () => {
		const {errors} = analyse(lint.example.wrong, lint.example.context);
		expect(errors.length > 0).toBe(lint.level === 'error');
	});

	test('is explained in sentences, with a title of one clause', () => {
		expect(lint.title).toMatch(/^\S.{3,60}[^.]$/);
		expect(lint.explanation).toMatch(/^\S.*\.$/);
		expect(lint.page).toMatch(/^https:\/\/developers\.cloudflare\.com\/.*\/$/);
	});
});

describe('the catalogue', () => {
	test('has the codes that the checker uses, and no others', () => {
		const usedCodes = readdirSync(folder, {recursive: true, encoding: 'utf8'})
			.filter(path => path.endsWith('.ts') && !path.startsWith('lints'))
			.flatMap(path => readFileSync(new URL(path, folder), 'utf8').match(/'[LE]\d{3}'/g) ?? [])
			.map(quoted => quoted.slice(1, -1));
		expect([...new Set(usedCodes)].toSorted()).toEqual(
			listLints()
				.map(({code}) => code)
				.toSorted(),
		);
	});

	test('has each code once, and codes by level', () => {
		const codes = listLints().map(({code}) => code);
		expect(new Set(codes).size).toBe(codes.length);
		for (const {code, level} of listLints()) expect(code.startsWith('E')).toBe(level === 'error');
	});

	test('finds a code in upper and lower case', () => {
		expect(findLint('l001')?.code).toBe('L001');
		expect(findLint('L000')).toBeUndefined();
	});
});

import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {analyse, findLint, type Lint, listLints} from '../../../../source/firewall/expression/expressions.ts';

const folder = new URL('../../../../source/firewall/expression/', import.meta.url);

const findCodes = (text: string, {level, example}: Lint): readonly (string | undefined)[] => {
	const {errors, warnings, hints} = analyse(text, example.context);
	return {error: errors, warning: warnings, hint: hints}[level].map(({code}) => code);
};

describe.for(listLints().map(lint => [lint.code, lint] as const))('%s', ([code, lint]) => {
	const {wrong, right, context} = lint.example;

	test('is found in the wrong example only', () => {
		expect(findCodes(wrong, lint)).toContain(code);
		expect(findCodes(right, lint)).not.toContain(code);
	});

	test('has examples that are valid, unless it is an error, and the right one without warnings', () => {
		if (lint.level !== 'error') expect(analyse(wrong, context).errors).toEqual([]);
		expect(analyse(right, context)).toMatchObject({errors: [], warnings: [], hints: []});
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

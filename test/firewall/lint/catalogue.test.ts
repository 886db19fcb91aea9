import {describe, expect, test} from 'vitest';
import {analyse, type Lint} from '../../../source/firewall/expression/expressions.ts';
import {listAllLints} from '../../../source/firewall/lint/rule-lints.ts';
import {lintFile} from './support.ts';

type Finding = {
	readonly level: Lint['level'];
	readonly code: string | undefined;
	/** The example after the correction, if there is one. */
	readonly becomes?: string | undefined;
};

/** Finds all problems of an example: an expression, or the rules of a file. */
function findProblems(text: string, {code, example}: Lint): readonly Finding[] {
	// Rules in examples are about addresses for documentation, which have a hint.
	if (/^.2/.test(code))
		return lintFile(text).flatMap(({level, code: found}) => (found === 'L074' ? [] : [{level, code: found}]));
	const {errors, warnings, hints} = analyse(text, example.context);
	return (
		[
			['error', errors],
			['warning', warnings],
			['hint', hints],
		] as const
	).flatMap(([level, problems]) =>
		problems.map(({code: found, correction}) => ({
			level,
			code: found,
			becomes:
				correction &&
				text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end),
		})),
	);
}

describe.for(listAllLints().map(lint => [lint.code, lint] as const))('%s', ([code, lint]) => {
	const {wrong, right} = lint.example;

	test('is found in the wrong example, with its level', () => {
		const levels = findProblems(wrong, lint).flatMap(finding =>
			finding.code === code ? [finding.level] : [],
		);
		expect(new Set(levels)).toEqual(new Set([lint.level]));
	});

	test('is not found in the right example, nor anything else', () => {
		expect(findProblems(right, lint)).toEqual([]);
	});

	test('is not found after its own correction, and no other warning is', () => {
		for (const finding of findProblems(wrong, lint)) {
			if (finding.code !== code || finding.becomes === undefined) continue;
			const codes = findProblems(finding.becomes, lint)
				.filter(({level, code: otherCode}) => level !== 'hint' || otherCode === code)
				.map(other => other.code);
			expect(codes, finding.becomes).toEqual([]);
		}
	});
});

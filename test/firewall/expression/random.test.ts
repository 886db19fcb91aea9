import fc from 'fast-check';
import {describe, expect, it, test} from 'vitest';
import {analyse, formatExpression} from '../../../source/firewall/expression/expressions.ts';
import {getRunCount} from '../../support/full.ts';
import {anyExpression, createChooser, createMalformedText, mutateText} from './any-expression.ts';
import {addMistakes, applyCorrections} from './mistakes.ts';

const seed = fc.integer({min: 0, max: 0xffff_ffff});
const validExpression = seed.map(start => anyExpression(createChooser(start)));
const anyInput = fc.oneof(
	fc.string({unit: 'binary'}),
	fc.string({unit: 'grapheme-ascii', maxLength: 200}),
	seed.map(start => createMalformedText(createChooser(start))),
);

/** Parses a text to its tree without positions, as JSON. */
const parseWithoutPositions = (text: string): unknown =>
	JSON.parse(
		JSON.stringify(analyse(text).tree ?? null, (key, value) => {
			if (key === 'start' || key === 'end' || key.endsWith('Span')) return undefined;
			return typeof value === 'bigint' ? String(value) : value;
		}),
	);

const isWithinLimit = (text: string): boolean => Buffer.byteLength(text) <= 4096;

describe('any text', () => {
	it('has tokens without gaps, and problems inside its bounds', () => {
		fc.assert(
			fc.property(anyInput, text => {
				const {tokens, errors, warnings, tree} = analyse(text);
				expect(tokens.map(({start, end}) => text.slice(start, end)).join('')).toBe(text);
				for (const {span, correction} of [...errors, ...warnings])
					for (const {start, end} of [span, ...(correction ? [correction.span] : [])]) {
						expect(start).toBeGreaterThanOrEqual(0);
						expect(end).toBeGreaterThanOrEqual(start);
						expect(end).toBeLessThanOrEqual(text.length);
					}
				expect(tree !== undefined || errors.length > 0).toBe(true);
			}),
			{numRuns: getRunCount(3000)},
		);
	});

	it('keeps its mistakes when formatted, and does not change when formatted again', () => {
		fc.assert(
			fc.property(anyInput, text => {
				const form = formatExpression(text);
				if (form === undefined) return;
				expect(formatExpression(form)).toBe(form);
				expect(analyse(form).errors.map(({engineMessage}) => engineMessage)).toEqual(
					analyse(text).errors.map(({engineMessage}) => engineMessage),
				);
			}),
			{numRuns: getRunCount(3000)},
		);
	});
});

describe('a well-typed expression', () => {
	it('has no errors, and means the same when formatted', () => {
		fc.assert(
			fc.property(validExpression, text => {
				fc.pre(isWithinLimit(text));
				expect(analyse(text, {plan: 'enterprise'}).errors).toEqual([]);
				const form = formatExpression(text) ?? '';
				expect(formatExpression(form)).toBe(form);
				expect(parseWithoutPositions(form)).toEqual(parseWithoutPositions(text));
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	it('becomes well-typed again after an error by applying corrections', () => {
		const mistakes: readonly ((text: string) => string)[] = [
			text => text.replace(/ and /g, ' AND '),
			text => text.replace(/ eq /g, ' EQ '),
			text => text.replace(/ == /g, ' = '),
			text => text.replace(/ /, '\t'),
			text => text.replace(/(?<=[ (])"a"(?=[ )]|$)/, "'a'"),
			text => `(${text}`,
			text => `${text})`,
			text => `${text} and`,
			text => `or ${text}`,
			text => `${text} and ssl == true`,
			text => `ip.src == 10.0.0.0/8 or ${text}`,
			text => `htp.host eq "a" and (${text})`,
			text => `http.host in {"a", "b"} xor ${text}`,
			text => `${text} xor http.host eq example.com`,
		];
		fc.assert(
			fc.property(validExpression, fc.constantFrom(...mistakes), (text, mistake) => {
				let current = mistake(text);
				fc.pre(isWithinLimit(current) && isWithinLimit(text));
				for (
					let remainingErrors = analyse(current).errors;
					remainingErrors.length > 0;
					remainingErrors = analyse(current).errors
				) {
					const correction = remainingErrors[0]?.correction;
					expect(correction, current).toBeDefined();
					if (!correction) return;
					current =
						current.slice(0, correction.span.start) + correction.text + current.slice(correction.span.end);
					expect(analyse(current).errors.length).toBeLessThan(remainingErrors.length);
				}
			}),
			{numRuns: getRunCount(1000)},
		);
	});
});

describe('an expression with a common mistake', () => {
	const choose = createChooser(7);
	const texts: string[] = [];
	while (texts.length < getRunCount(4000)) {
		const text = addMistakes(choose, anyExpression(choose, 1));
		if (isWithinLimit(text) && analyse(text).errors.length > 0) texts.push(text);
	}

	it('becomes valid by repeatedly applying the first correction in 97 % of cases, and never loops', () => {
		const results = texts.map(applyCorrections);
		expect(results.filter(({isValid}) => isValid).length / texts.length).toBeGreaterThanOrEqual(0.97);
		expect(results.filter(({steps}) => steps === 40)).toEqual([]);
	});
});

describe('a broken expression', () => {
	test.each([
		['raw.http.request.uri["x"][7] eq "a" and ssl', 'raw.http.request.uri eq "a" and ssl'],
		['http.request.headers["x"][0][1][*] eq "a"', 'http.request.headers["x"][0] eq "a"'],
		['ip.src.asnum in {1"3..0x10 4}', 'ip.src.asnum in {1 3..0x10 4}'],
		['ip.src in {10.0.0.0"  192.0.2.1} or ssl', 'ip.src in {10.0.0.0  192.0.2.1} or ssl'],
		['ip.src.asnum in {1 2"}', 'ip.src.asnum in {1 2}'],
		[
			'http.host ~ "^/a[0-9\\" xor any(http.request.body.multipart.values[*] eq "b")',
			'http.host ~ "^/a[0-9\\"]" xor any(http.request.body.multipart.values[*] eq "b")',
		],
	])('%s has one mistake, and its correction leaves none', (text, expectedText) => {
		const {errors} = analyse(text);
		expect(errors).toHaveLength(1);
		const {span, text: correctionText} = errors[0]?.correction ?? {span: {start: 0, end: 0}, text: ''};
		expect(text.slice(0, span.start) + correctionText + text.slice(span.end)).toBe(expectedText);
		expect(analyse(expectedText).errors).toEqual([]);
	});

	it('no longer has a mistake once its correction is applied', () => {
		const brokenExpression = seed.map(start => {
			const choose = createChooser(start);
			return mutateText(choose, anyExpression(choose, 1));
		});
		fc.assert(
			fc.property(brokenExpression, text => {
				const {errors} = analyse(text);
				const [error] = errors;
				if (errors.length !== 1 || !error?.correction) return;
				const {span, text: correctionText} = error.correction;
				const correctedText = text.slice(0, span.start) + correctionText + text.slice(span.end);
				const repeatedErrors = analyse(correctedText).errors.filter(
					other => other.sentence === error.sentence && other.span.start === error.span.start,
				);
				expect(repeatedErrors, correctedText).toEqual([]);
			}),
			{numRuns: getRunCount(2000)},
		);
	});
});

// Analyses two million random inputs: `node test/firewall/expression/million.ts [count] [seed]`.
// Half of them are well typed and must have no errors, the other half are arbitrary. Nothing may throw, take
// long, leave a gap between its tokens, or change when formatted twice. Then analyses 10,000 expressions with
// mistakes: applying the first correction repeatedly must make 97 % of them valid. Exits with 1 otherwise.
import {analyse, formatExpression} from '../../../source/firewall/expression/expressions.ts';
import {getTestSeed} from '../../support/seed.ts';
import {anyExpression, createChooser, createMalformedText} from './any-expression.ts';
import {addMistakes, applyCorrections} from './mistakes.ts';

const count = Number(process.argv[2] ?? 2_000_000);
const seed = Number(process.argv[3] ?? getTestSeed());
/** Far above the slowest input, so that a pause of the machine does not count as a fault. */
const maxMilliseconds = 250;
const choose = createChooser(seed);
const startTime = performance.now();
const faults: string[] = [];
let slowest = {milliseconds: 0, text: ''};

for (let inputIndex = 0; inputIndex < count && faults.length < 10; inputIndex++) {
	const isWellTyped = inputIndex % 2 === 0;
	const text = isWellTyped ? anyExpression(choose, 1 + (inputIndex % 3)) : createMalformedText(choose);
	const fault = findFault(text, isWellTyped);
	if (fault) faults.push(`${fault}: ${JSON.stringify(text)}`);
}

const seconds = (performance.now() - startTime) / 1000;
process.stdout.write(
	`${count} inputs (seed ${seed}) in ${seconds.toFixed(1)} s, slowest ${slowest.milliseconds.toFixed(1)} ms for ${slowest.text.length} characters, ${faults.length} faults\n`,
);
for (const fault of faults) process.stdout.write(`${fault}\n`);

const mistakeCount = Math.min(10_000, count);
const minValidShare = 0.97;
const {valid: validCount, most: maxSteps, left: remainingErrors} = measureCorrections(mistakeCount);
process.stdout.write(
	`${validCount} of ${mistakeCount} broken ones end valid when the first correction is taken again and again, after ${maxSteps} at most\n`,
);
for (const [sentence, {times, text}] of [...remainingErrors]
	.toSorted((one, other) => other[1].times - one[1].times)
	.slice(0, 5))
	process.stdout.write(`${times} end with: ${sentence}: ${JSON.stringify(text)}\n`);
process.exitCode = faults.length > 0 || validCount < mistakeCount * minValidShare ? 1 : 0;

function measureCorrections(targetCount: number) {
	const remainingErrors = new Map<string, {times: number; text: string}>();
	let [validCount, maxSteps] = [0, 0];
	for (let measuredCount = 0; measuredCount < targetCount; ) {
		const text = addMistakes(choose, anyExpression(choose, 1));
		if (Buffer.byteLength(text) > 4096 || analyse(text).errors.length === 0) continue;
		measuredCount++;
		const {text: correctedText, isValid, steps} = applyCorrections(text);
		maxSteps = Math.max(maxSteps, steps);
		if (isValid) validCount++;
		else {
			const sentence = analyse(correctedText).errors[0]?.sentence ?? '';
			remainingErrors.set(sentence, {times: (remainingErrors.get(sentence)?.times ?? 0) + 1, text});
		}
	}
	return {valid: validCount, most: maxSteps, left: remainingErrors};
}

function findFault(text: string, isWellTyped: boolean): string | undefined {
	try {
		const started = performance.now();
		const analysis = analyse(text, isWellTyped ? {plan: 'enterprise'} : {});
		const milliseconds = performance.now() - started;
		if (milliseconds > slowest.milliseconds) slowest = {milliseconds, text};
		if (milliseconds > maxMilliseconds) return `took ${milliseconds} ms`;
		if (analysis.tokens.map(({start, end}) => text.slice(start, end)).join('') !== text)
			return 'tokens with gaps';
		if (!analysis.tree && analysis.errors.length === 0) return 'neither a tree nor an error';
		if (isWellTyped && Buffer.byteLength(text) <= 4096 && analysis.errors.length > 0)
			return 'an error in a good one';
		const formatted = formatExpression(text);
		if (isWellTyped && Buffer.byteLength(text) <= 4096 && formatted === undefined)
			return 'no form for a good one';
		if (formatted !== undefined && formatExpression(formatted) !== formatted) return 'a form that changes';
		return undefined;
	} catch (thrown) {
		return `threw ${thrown}`;
	}
}

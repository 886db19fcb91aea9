// Two million random inputs through the analysis of expressions: `node test/firewall/expression/million.ts [count] [seed]`.
// Half of them are well typed and must be found right, the other half are anything. Nothing may throw, take long,
// leave a gap between its tokens, or change when it is formatted twice. Then 10,000 good ones with a mistake in them:
// taking the first correction again and again ends in a valid one for 97 % of them. Exit 1 when something did not hold.
import {analyse, formatExpression} from '../../../source/firewall/expression/expressions.ts';
import {seedOf} from '../../support/seed.ts';
import {anyExpression, anyText, chooser} from './any-expression.ts';
import {mended, mistaken} from './mistakes.ts';

const count = Number(process.argv[2] ?? 2_000_000);
const seed = Number(process.argv[3] ?? seedOf());
/** Far above what the slowest takes: a pause of the machine is no hang. */
const longest = 250;
const choose = chooser(seed);
const begun = performance.now();
const faults: string[] = [];
let slowest = {milliseconds: 0, text: ''};

for (let made = 0; made < count && faults.length < 10; made++) {
	const isGood = made % 2 === 0;
	const text = isGood ? anyExpression(choose, 1 + (made % 3)) : anyText(choose);
	const fault = faultWith(text, isGood);
	if (fault) faults.push(`${fault}: ${JSON.stringify(text)}`);
}

const seconds = (performance.now() - begun) / 1000;
process.stdout.write(
	`${count} inputs (seed ${seed}) in ${seconds.toFixed(1)} s, slowest ${slowest.milliseconds.toFixed(1)} ms for ${slowest.text.length} characters, ${faults.length} faults\n`,
);
for (const fault of faults) process.stdout.write(`${fault}\n`);

const broken = Math.min(10_000, count);
const leastMended = 0.97;
const {valid, most, left} = mendedOf(broken);
process.stdout.write(
	`${valid} of ${broken} broken ones end valid when the first correction is taken again and again, after ${most} at most\n`,
);
for (const [sentence, {times, text}] of [...left]
	.toSorted((one, other) => other[1].times - one[1].times)
	.slice(0, 5))
	process.stdout.write(`${times} end with: ${sentence}: ${JSON.stringify(text)}\n`);
process.exitCode = faults.length > 0 || valid < broken * leastMended ? 1 : 0;

function mendedOf(wanted: number) {
	const left = new Map<string, {times: number; text: string}>();
	let [valid, most] = [0, 0];
	for (let made = 0; made < wanted; ) {
		const text = mistaken(choose, anyExpression(choose, 1));
		if (Buffer.byteLength(text) > 4096 || analyse(text).errors.length === 0) continue;
		made++;
		const {text: last, isValid, steps} = mended(text);
		most = Math.max(most, steps);
		if (isValid) valid++;
		else {
			const sentence = analyse(last).errors[0]?.sentence ?? '';
			left.set(sentence, {times: (left.get(sentence)?.times ?? 0) + 1, text});
		}
	}
	return {valid, most, left};
}

function faultWith(text: string, isGood: boolean): string | undefined {
	try {
		const started = performance.now();
		const analysis = analyse(text, isGood ? {plan: 'enterprise'} : {});
		const milliseconds = performance.now() - started;
		if (milliseconds > slowest.milliseconds) slowest = {milliseconds, text};
		if (milliseconds > longest) return `took ${milliseconds} ms`;
		if (analysis.tokens.map(({start, end}) => text.slice(start, end)).join('') !== text)
			return 'tokens with gaps';
		if (!analysis.tree && analysis.errors.length === 0) return 'neither a tree nor an error';
		if (isGood && Buffer.byteLength(text) <= 4096 && analysis.errors.length > 0)
			return 'an error in a good one';
		const formatted = formatExpression(text);
		if (isGood && Buffer.byteLength(text) <= 4096 && formatted === undefined) return 'no form for a good one';
		if (formatted !== undefined && formatExpression(formatted) !== formatted) return 'a form that changes';
		return undefined;
	} catch (thrown) {
		return `threw ${thrown}`;
	}
}
